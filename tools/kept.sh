#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kept.sh IMAGE MAP COMMAND...: links by COMMAND, which makes the two files, or takes what it made of the same files before, in any
# clone: ccache keeps objects, not images, and to link one in one piece takes five seconds. The key is the command, the files
# among its words, and the compiler's version; libraries, which only MAP names, are compared when a kept image is found.
image=$1
map=$2
shift 2
rm -f "$image" "$map"
folder=${XDG_CACHE_HOME:-$HOME/.cache}/ganger/images
kept=$folder/$({ echo "$@"; for word; do [ ! -f "$word" ] || cat "$word"; done; "$1" --version; } | sha256sum | cut -d' ' -f1)

if sha256sum --status -c "$kept/libraries" 2>/dev/null && cp "$kept/image" "$image" && cp "$kept/map" "$map"; then
	touch "$kept" "$image" "$map"
	exit 0
fi
"$@" || exit
# From here on nothing that fails matters: the image is there. The 64 that were used last stay.
mkdir -p "$folder" && new=$(mktemp -d "$folder/new.XXXXXX") || exit 0
if sed -n 's,^LOAD \(/.*\.a\)$,\1,p' "$map" | sort -u | xargs -r sha256sum >"$new/libraries" && cp "$image" "$new/image" && cp "$map" "$new/map"; then
	rm -rf "$kept"
	mv -T "$new" "$kept" 2>/dev/null
fi
rm -rf "$new"
ls -dt "$folder"/* | tail -n +65 | xargs -r rm -rf
exit 0
