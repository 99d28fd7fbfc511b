{# The distinct fragments (F_disc), whatever their clusters, each with its span of phones and its transcription T by the
   published edge rule. T is '' if no phone is kept.

   A fragment contains all phones that share time with it, but the first and the last of them are kept only if more
   than `edge_cover_time` (30 ms) or more than `edge_cover_fraction` (half) of the phone is covered. Of a phone of 40
   ms, 21 ms are enough and 20 ms are not. With `fragment_fraction` below 1 (tde 0.2.1), a phone is also kept if its
   covered part is more than this fraction of the fragment.

   `reach_from` and `reach_to` are the earliest onset and the latest offset of the fragment and its phones. Two
   fragments that share no time between these limits have no phone in common. #}
{% import "term_discovery/zerospeech2015/edge_rule.jinja" as edge_rule with context %}
{{ edge_rule.distinct_with_transcription(fold_fragments) }}
