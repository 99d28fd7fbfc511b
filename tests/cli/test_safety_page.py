"""Every promise of docs/safety.md has tests that hold it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from marks import for_each, some

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "safety.md"
PROMISES = ("Documents of others", "Inputs of others", "Results databases of others", "Your own results")
OTHERS = ("What you are not protected from", "Score what you do not trust")
# The tests of each promise of the page, by its first words.
TESTS_OF = {
    "A document cannot run Python:": ["test_yaml_is_plain", "test_a_document_names_no_python"],
    "The SQL of a document cannot read": [
        "test_sql_reads_nothing",
        "test_other_files_stay_shut",
        "test_a_locked_session_reads_nothing_that_is_not_judged_either",
        "test_of_the_table_functions_only_those_that_read_nothing_are_taken",
        "test_sql_that_is_text_is_not_run",
        "test_a_pivot_without_values_may_not_name_them",
    ],
    "The SQL of a document cannot write": [
        "test_sql_is_one_select",
        "test_sql_does_not_escape",
        "test_a_cte_changes_nothing",
        "test_a_pivot_that_lists_no_values_changes_nothing",
        "test_a_locked_session_reads_nothing_that_is_not_judged_either",
    ],
    "The same rules hold for": [
        "test_expressions_of_a_metric",
        "test_conditions_of_a_table_read_nothing",
        "test_no_expression_changes_what_is_scored",
        "test_oracle_of_a_case_is_locked",
        "test_the_sql_of_a_macro_is_one_expression",
        "test_the_run_judges_macros_too",
        "test_a_macro_takes_the_place_of_no_function",
    ],
    "Your inputs stay as they": [
        "test_a_loaded_table_cannot_be_written",
        "test_an_input_that_is_read_in_place_is_not_written",
    ],
    "The SQL sees neither the": ["test_sql_sees_no_results", "test_a_variable_of_python_is_no_table"],
    "A document cannot replace a": [
        "test_a_document_cannot_replace_what_ships",
        "test_the_suite_of_a_user_may_replace_what_ships",
    ],
    "A document reads SQL files,": [
        "test_a_file_outside_the_folder_of_a_document_is_not_read",
        "test_an_import_reads_nothing_outside_the_folder_of_a_document",
    ],
    "A template of SQL or": [
        "test_template_is_boxed_in",
        "test_a_template_makes_no_more_than_sql",
        "test_a_template_at_fault_is_refused_before_anything_is_scored",
    ],
    "A document of any shape": ["test_a_document_of_odd_shape", "test_many_aliases_are_refused"],
    "Checking a document obeys `--memory-limit`,": [
        "test_a_trial_of_documents_has_the_limits_of_the_run",
        "test_oracle_of_a_case_is_locked",
    ],
    "Labels, values of parameters, and": [
        "test_labels_with_quotes_are_data",
        "test_slices_with_quotes_are_data",
        "test_values_of_parameters_are_literals",
        "test_texts_of_metric_strings_are_values",
        "test_names_of_files_and_folders_are_data",
        "test_a_duckdb_file_reads_nothing_else",
    ],
    "An input cannot make scorespec": [
        "test_a_star_is_a_pattern_unless_something_has_that_name",
        "test_parquet_is_the_file_that_was_named",
        "test_names_of_files_and_folders_are_data",
        "test_formats_xml.py::test_refused",
    ],
    "If an input is a": ["test_a_link_that_leads_out_of_a_folder"],
    "A DuckDB file is opened": [
        "test_a_table_of_a_duckdb_file",
        "test_a_duckdb_file_reads_nothing_else",
        "test_a_view_of_a_duckdb_file_changes_nothing",
    ],
    "Pickles are refused, because loading": ["test_a_pickle_is_refused"],
    "Text and XML are read": [
        "test_files_that_are_not_text",
        "test_tokens_are_bounded",
        "test_texts_are_bounded",
        "test_depth_and_names_are_bounded",
    ],
    "A faulty file is refused": [
        "test_problems_of_a_file_are_told_together",
        "test_a_short_fixed_part",
        "test_what_once_was_at_fault",
    ],
    "A group of rows that": [
        "test_rows_are_taken_no_further_than_there_is_room",
        "test_what_a_group_needs_is_known_before_it_is_taken",
    ],
    "Control characters and characters that": [
        "test_every_control_separator_surrogate_and_override_is_shown",
        "test_everything_else_is_printed_through_say",
        "test_table_and_csv",
        "test_warnings_and_problems",
        "test_definitions",
        "test_repr",
        "test_the_bar_shows_labels_as_they_are",
        "test_a_message_that_echoes_a_file_has_one_line",
    ],
    "A path is the path": ["test_a_path_is_a_file_and_no_connection_string"],
    "A file that is not": ["test_files_of_other_programs_are_refused_in_one_line"],
    "A query opens no file": [
        "test_a_query_reads_and_writes_no_files",
        "test_what_is_refused_says_how_it_is_allowed",
        "test_files_if_the_user_wants_them",
    ],
    "A query cannot change the": [
        "test_query_sees_only_the_results",
        "test_files_if_the_user_wants_them",
        "test_no_extension_is_loaded_and_no_setting_changed",
        "test_a_query_reads_and_writes_no_files",
    ],
    "The connection is locked before": [
        "test_a_view_in_place_of_a_table_does_nothing",
        "test_a_view_of_evidence_is_not_read",
        "test_a_macro_replaces_no_function",
    ],
    "`scorespec runs add` reads no": [
        "test_a_view_in_what_is_added_reads_no_files",
        "test_runs_of_two_databases_become_those_of_one",
    ],
    "A database with tables of": ["test_tables_of_another_program_are_refused_before_anything_is_read"],
    "Labels, file names and texts": ["test_labels_are_text_and_never_markup", "test_names_make_no_links_in_markdown"],
    "A page loads nothing from": ["test_every_figure_of_a_suite_is_shown", "test_a_browser_finds_no_fault"],
    "The SQL of a figure": ["test_a_fault_of_a_figure_has_its_place"],
    "Scores are printed before the": [
        "test_scores_are_printed_before_the_database_is_waited_for",
        "test_a_reader_does_not_lose_a_run",
        "test_a_run_that_is_interrupted_while_it_waits_is_kept",
        "test_a_full_disk",
    ],
    "A run is in the": ["test_killed_runs_are_there_as_a_whole_or_not_at_all"],
    "Threads and processes that write": [
        "test_threads_write_into_one_database",
        "test_two_runs_into_one_database",
        "test_a_database_that_is_made_meanwhile_is_not_replaced",
    ],
    "Ctrl-C ends the command within": [
        "test_interrupt",
        "test_a_call_that_does_not_hear_is_ended",
        "test_a_pipe_that_nobody_writes",
    ],
    "`--withhold evidence,units,counts` keeps the gold": [
        "test_nothing_tells_the_gold",
        "test_intervals_do_not_tell_the_gold",
        "test_errors_do_not_tell_the_gold",
        "test_faults_of_the_gold_are_not_told",
        "test_the_same_search_finds_what_is_not_withheld",
        "test_warnings_do_not_tell_labels_and_numbers",
        "test_scores_of_each_unit_are_refused",
    ],
}


def sections() -> dict[str, str]:
    """The text below each heading, without fenced blocks."""
    text = re.sub(r"^```.*?^```\n", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titled = (each.partition("\n") for each in text.split("\n## ")[1:])
    return {title: below for title, _, below in titled}


def promises() -> list[str]:
    """The items of the lists of promises, each on one line."""
    found = []
    for title in PROMISES:
        for paragraph in re.split(r"\n\n|\n(?=\* )", sections()[title].strip()):
            line = " ".join(paragraph.split())
            assert line.startswith("* ") or line.endswith(":"), f"this promises something outside of a list: {line}"
            found += [line] if line.startswith("* ") else []
    return found


@cache
def functions() -> Counter[str]:
    """How often there is a test of a name, alone and behind the name of its file."""
    found: Counter[str] = Counter()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update([node.name, f"{path.name}::{node.name}"])
    return found


def test_every_section_promises_something_or_says_what_is_not_promised():
    assert tuple(sections()) == PROMISES + OTHERS


@for_each(promise=promises())
def test_a_promise_has_its_tests(promise):
    [names] = [names for begin, names in TESTS_OF.items() if promise.startswith(f"* {begin}")]
    known = functions()
    assert names
    for name in some(names):
        assert known[name] == 1, f"{known[name]} tests are called {name}"


def test_each_list_of_tests_is_of_a_promise():
    assert len(TESTS_OF) == len(promises())
