# What install.sh and uninstall.sh share.

set -u -o pipefail

readonly BEGIN_MARK='<!-- braid: begin, removed by uninstall.sh -->'
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

# Sets "home" and "conf" from options and environment.
find_hadoop() {
  home=${home:-${HADOOP_HOME:-}}
  [ -n "$home" ] || usage_error "give --hadoop-home, the directory that has bin/hdfs"
  [ -f "$home/bin/hdfs" ] && [ -d "$home/share/hadoop/hdfs" ] ||
    fail "$home is no Hadoop: it has no bin/hdfs or no share/hadoop/hdfs"
  home=$(cd -P -- "$home" && pwd -P) || fail "cannot enter $home"
  conf=${conf:-${HADOOP_CONF_DIR:-$home/etc/hadoop}}
  site=$conf/hdfs-site.xml
  manifest=$home/share/braid/MANIFEST
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

# Refuses a file of properties in which install.sh's marks do not stand in pairs, one behind the other.
require_marks() {
  [ ! -f "$1" ] || awk -v from="$BEGIN_MARK" -v to="$END_MARK" '
    index($0, from) { if (inside++) bad = 1 }
    index($0, to) { if (--inside) bad = 1 }
    END { exit bad || inside }' "$1" ||
    fail "$1 was edited at \"$BEGIN_MARK\" or \"$END_MARK\": put these lines back around Braid's properties"
}

# Removes what install.sh added to a file of properties.
unconfigured() {
  awk -v from="$BEGIN_MARK" -v to="$END_MARK" '
    index($0, from) { inside = 1 }
    !inside { print }
    index($0, to) { inside = 0 }' "$1"
}
