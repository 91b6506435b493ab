# SPDX-License-Identifier: GPL-2.0
# html-text.awk - print stdin as HTML, line by line. Needs html.awk.

{ print html($0) }
