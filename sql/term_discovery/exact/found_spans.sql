{# The spans in pairs of P_disc*: a sub-span meets one of every longer or equal member that shares no time with its
   own, and of those that do as touching_subspans says. #}
SELECT {{ scope }}file, phone, size FROM {{ disc_subspans }} WHERE size <= partner_size
UNION
SELECT {{ scope }}unnest([file_a, file_b]), unnest([phone_a, phone_b]), size FROM {{ touching_subspans }}
