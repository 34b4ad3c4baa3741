#!/bin/sh
# How often each word stands in a file: all words are sorted.
export LC_ALL=C
tr -s ' ' '\n' <"$1" | sort | uniq -c | awk '{ print $2, $1 }'
