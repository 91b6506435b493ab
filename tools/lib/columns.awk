# SPDX-License-Identifier: GPL-2.0
# columns.awk - the schema's columns as what check-tables.c includes. Needs schema.awk.

END {
	for (i = 2; i <= schema_rows; i++)
		printf "{ \"%s\", \"%s\", %s, %s, %s, \"%s\" },\n", schema_in[i], schema_name[i],
			schema_type[i] ~ schema_texts ? "true" : "false", schema_unit[i] == "ns" ? "true" : "false",
			(i > schema_core ? "true" : "false"), schema_type[i] !~ schema_texts ? (schema_unit[i] ~ /^ns/ ? "us" : "number") : \
			schema_type[i] == "list" ? "text" : schema_type[i]
}
