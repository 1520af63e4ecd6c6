# What install.sh and uninstall.sh share.

set -u -o pipefail
unset CDPATH

readonly BEGIN_MARK='<!-- braid: begin, removed by uninstall.sh -->'
# In a block before which a line was cut.
readonly CUT_MARK='<!-- braid: the line before was one with the line behind -->'
readonly END_MARK='<!-- braid: end -->'
readonly NAME=$(basename -- "$0")

fail() {
  echo "$NAME: $*" >&2
  exit 1
}

usage_error() {
  echo "$NAME: $* (see $NAME --help)" >&2
  exit 2
}

# Sets "home", "conf", "site" and "manifest", all absolute, from options and environment.
find_hadoop() {
  home=${home:-${HADOOP_HOME:-}}
  [ -n "$home" ] || usage_error "give --hadoop-home, the directory that has bin/hdfs"
  [ -f "$home/bin/hdfs" ] && [ -d "$home/share/hadoop/hdfs" ] ||
    fail "$home is no Hadoop: it has no bin/hdfs or no share/hadoop/hdfs"
  home=$(cd -P -- "$home" && pwd -P) || fail "cannot enter $home"
  conf=${conf:-${HADOOP_CONF_DIR:-}}
  [ -z "$conf" ] || [ -d "$conf" ] ||
    fail "there is no directory $conf: --conf or HADOOP_CONF_DIR names the one that has hdfs-site.xml"
  conf=${conf:-$home/etc/hadoop}
  if [ -d "$conf" ]; then
    conf=$(cd -- "$conf" && pwd) || fail "cannot enter $conf"
  fi
  site=$conf/hdfs-site.xml
  manifest=$home/share/braid/MANIFEST
}

# The path of a file without links in its directory: what MANIFEST says of it.
physical() {
  echo "$(cd -P -- "$(dirname -- "$1")" && pwd -P)/$(basename -- "$1")"
}

# The second field of MANIFEST's line of a kind about a path.
recorded() {
  [ ! -f "$manifest" ] ||
    KIND=$1 ABOUT=$2 awk -F '\t' '$1 == ENVIRON["KIND"] && $3 == ENVIRON["ABOUT"] { print $2 }' "$manifest"
}

# Runs a command, or only shows it.
act() {
  if [ "$dry" = yes ]; then
    echo "would run: $*"
  else
    "$@"
  fi
}

checksum() {
  sha256sum -- "$1" | cut -d ' ' -f 1
}

# Sets "sums" to the checksums of files, in order, by one program; to nothing for one that cannot be
# read.
checksums() {
  local line file
  sums=()
  [ $# -gt 0 ] || return 0
  while IFS= read -r line; do sums+=("${line%% *}"); done < <(sha256sum -- "$@" 2>/dev/null)
  [ ${#sums[@]} -ne $# ] || return 0
  # Some are missing: which ones, each tells alone.
  sums=()
  for file; do sums+=("$(checksum "$file")"); done
}

# Writes text into a file, which keeps its owner, rights and links: first beside it, so that a full
# disk takes nothing from it.
write_into() {
  local file=$1 text=$2 beside=$1.braid-new part=$1.braid-part
  [ ! -e "$part" ] || rm -f -- "$part" # of a run that was killed
  if printf '%s' "$text" | cmp -s - "$file"; then
    [ ! -e "$beside" ] || rm -f -- "$beside" # somebody has copied it
    return 0
  fi
  { cp -p -- "$file" "$part" && printf '%s' "$text" >"$part" &&
    printf '%s' "$text" | cmp -s - "$part" && mv -f -- "$part" "$beside"; } || {
    rm -f -- "$part"
    fail "cannot write $part: $file is as it was"
  }
  cat -- "$beside" >"$file" && cmp -s -- "$beside" "$file" ||
    fail "cannot change $file, which may be torn: make room, then copy $beside over it"
  rm -f -- "$beside"
}

# Sets "plain" to a file of properties without what install.sh put between its marks, and "block" to
# that, both byte for byte; a file that is not there is empty.
read_site() {
  plain='' block=''
  [ -f "$1" ] || return 0
  local LC_ALL=C file=$1 rest part broken=''
  [ ! -e "$file.braid-new" ] || cmp -s -- "$file.braid-new" "$file" ||
    fail "$file.braid-new was to take the place of what $file has: copy it over it, or delete it"
  rest=$(cat -- "$file" && echo end) || fail "cannot read $file"
  rest=${rest%end}
  [ ${#rest} = "$(wc -c <"$file")" ] || fail "$file is not in UTF-8: it has bytes of value 0"
  while [[ $rest == *"$BEGIN_MARK"* ]]; do
    part=${rest%%"$BEGIN_MARK"*}
    plain+=$part
    rest=${rest:${#part}+${#BEGIN_MARK}}
    part=${rest%%"$END_MARK"*}
    [[ $rest == *"$END_MARK"* && $part != *"$BEGIN_MARK"* ]] || broken=yes
    block+=$part
    [[ $part != *"$CUT_MARK"* ]] || plain=${plain%$'\n'}
    rest=${rest:${#part}+${#END_MARK}}
    rest=${rest#$'\r'}
    rest=${rest#$'\n'}
  done
  plain+=$rest
  [[ -z $broken && $plain != *"$END_MARK"* ]] ||
    fail "$file was edited at \"$BEGIN_MARK\" or \"$END_MARK\": put these lines back around Braid's properties"
}

# The Java that Hadoop takes.
find_java() {
  local directory=${JAVA_HOME:-}
  [ -n "$directory" ] || directory=$("$home/bin/hdfs" --config "$1" envvars 2>/dev/null |
    sed -n "s/^JAVA_HOME='\(.*\)'\$/\1/p")
  if [ -x "$directory/bin/java" ]; then echo "$directory/bin/java"; else command -v java; fi
}

# The Java that daemons and commands run on, which hadoop-env.sh may set to another one than whoever
# installs has.
hadoop_java() {
  local directory
  directory=$("$home/bin/hdfs" --config "$1" envvars 2>/dev/null | sed -n "s/^JAVA_HOME='\(.*\)'\$/\1/p")
  [ -n "$directory" ] || directory=${JAVA_HOME:-}
  [ ! -x "$directory/bin/java" ] || echo "$directory/bin/java"
}

# The version of a Java, such as 17.0.15 or 1.8.0_292; nothing where it cannot be told.
java_version() {
  "$1" -version 2>&1 | sed -n 's/^.* version "\([^"]*\)".*/\1/p' | head -n 1
}

# Sets "properties" to what a directory of configuration sets, with "plain" as its hdfs-site.xml: a
# line for each property, with its name, the file that sets it and its value between tabs.
read_properties() {
  local directory=$1 java part status path="$here/../plugins/*:$1"
  for part in common common/lib hdfs hdfs/lib; do path+=:$home/share/hadoop/$part/'*'; done
  if java=$(find_java "$directory"); then
    # Hadoop itself knows best what its files say.
    properties=$(printf '%s' "$plain" | "$java" -XX:TieredStopAtLevel=1 -Xshare:auto -cp "$path" \
      org.braid.hdfs.setting.SiteProperties "$directory" 2>/dev/null)
    status=$?
    [ "$status" != 0 ] || return 0
    [ "$status" != 3 ] || fail "Hadoop cannot read the configuration in $directory: $properties"
  fi
  properties=$(
    if [ -f "$directory/core-site.xml" ]; then
      # What it sets of dfs.* gives way to Hadoop's defaults, which are empty for plugins.
      simple_properties "$directory/core-site.xml" <"$directory/core-site.xml" |
        awk -F '\t' '$1 !~ /^dfs\./ || $1 ~ /\.plugins$/'
      [ "${PIPESTATUS[0]}" = 0 ] || exit 1
    fi
    printf '%s' "$plain" | simple_properties "$directory/hdfs-site.xml"
  ) || exit 1
}

# The properties of one file without Hadoop's classes: those of simple form.
simple_properties() {
  local found
  found=$(FILE=$1 awk '
    function field(part, tag) {
      if (!match(part, "<" tag ">[^<]*</" tag ">")) return ""
      part = substr(part, RSTART + length(tag) + 2, RLENGTH - 2 * length(tag) - 5)
      gsub(/^[ \t\r\n]+|[ \t\r\n]+$/, "", part)
      gsub(/[ \t\r\n]*,[ \t\r\n]*/, ",", part)
      gsub(/[ \t\r\n]+/, " ", part)
      gsub(/&lt;/, "<", part)
      gsub(/&gt;/, ">", part)
      gsub(/&amp;/, "\\&", part)
      return part
    }
    { text = text $0 "\n" }
    END {
      while ((from = index(text, "<!--")) > 0) {
        rest = substr(text, from + 4)
        if ((to = index(rest, "-->")) == 0) { print "a comment without an end"; exit 3 }
        text = substr(text, 1, from - 1) substr(rest, to + 3)
      }
      if (text ~ /<([A-Za-z0-9_]+:)?include[ \t\r\n>\/]/) { print "xi:include"; exit 3 }
      if (text ~ /<property[ \t\r\n]+[A-Za-z]/) { print "attributes of <property>"; exit 3 }
      if (text ~ /<!ENTITY|<!\[CDATA/) { print "entities or CDATA"; exit 3 }
      n = split(text, parts, "</property>")
      for (i = 1; i <= n; i++) {
        if (field(parts[i], "name") != "") {
          print field(parts[i], "name") "\t" ENVIRON["FILE"] "\t" field(parts[i], "value")
        }
      }
    }') || fail "$1 has $found, which only Java with Hadoop's classes can read: set JAVA_HOME"
  [ -z "$found" ] || printf '%s\n' "$found"
}
