#!/bin/sh
# How often each word stands in a file: the words are counted first, and only different ones are sorted.
export LC_ALL=C
awk '{ for (word = 1; word <= NF; word++) count[$word]++ } END { for (word in count) print word, count[word] }' "$1" | sort
