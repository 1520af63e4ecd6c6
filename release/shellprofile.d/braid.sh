# Makes "hdfs braid ..." a command of HDFS. Hadoop's scripts read this file.

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "braid" client "in-place erasure coding: convert, restore, status, check, ..."
  hadoop_add_profile braid
fi

## @description  The version of Hadoop's Java, such as 17; 8 is 1.8; nothing where it cannot be told
## @audience     private
## @stability    evolving
## @replaceable  no
function braid_java_version
{
  if [[ -f "${JAVA_HOME:-}/release" ]]; then
    sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "${JAVA_HOME}/release"
  elif [[ -x "${JAVA_HOME:-}/bin/java" ]]; then
    "${JAVA_HOME}/bin/java" -version 2>&1 |
      sed -n 's/^.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
  fi
}

## @description  Says in a line what an older Java says by UnsupportedClassVersionError
## @audience     private
## @stability    evolving
## @replaceable  no
function _braid_hadoop_finalize
{
  local version

  case "${HADOOP_SUBCMD:-}" in
    namenode | datanode | balancer | mover) ;;
    *) return 0 ;;
  esac
  version=$(braid_java_version)
  if [[ "${version}" =~ ^[0-9]+$ && "${version}" -lt 17 ]]; then
    echo "WARNING: Braid needs Java 17 or newer, and ${JAVA_HOME} is Java ${version}: where a property" \
      "names a class of org.braid, this ${HADOOP_SUBCMD} does not start; set JAVA_HOME in hadoop-env.sh" >&2
  fi
}

## @description  Runs a command of Braid
## @audience     public
## @stability    stable
## @replaceable  no
function hdfs_subcommand_braid
{
  local share="${HADOOP_HDFS_HOME:-${HADOOP_HOME}}/share/braid"
  local word version

  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=org.braid.cli.Main
  # In these locales, or in none, Java can neither read words nor open files that are not ASCII.
  case "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" in
    '' | C | POSIX) { export LC_ALL=C.UTF-8; } 2>/dev/null ;; # not every host has it
  esac
  # Before Hadoop's own libraries: this process alone uses the newer ones.
  hadoop_add_classpath "${share}/lib/*" before
  # Hadoop and JNA look into these packages.
  for word in java.lang java.nio; do
    HADOOP_OPTS="${HADOOP_OPTS} --add-opens=java.base/${word}=ALL-UNNAMED"
  done
  version=$(braid_java_version)
  if [[ "${version}" =~ ^[0-9]+$ && "${version}" -lt 17 ]]; then
    echo "ERROR: Braid needs Java 17 or newer, and ${JAVA_HOME} is Java ${version}: set JAVA_HOME in" \
      "hadoop-env.sh" >&2
    exit 1
  fi
  # Newer Java warns of what JNA and Hadoop's libraries do, and older Java does not know these flags.
  if [[ "${version}" =~ ^[0-9]+$ && "${version}" -ge 24 ]]; then
    HADOOP_OPTS="${HADOOP_OPTS} --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
  fi
  # Results go to standard output, warnings and errors to standard error.
  HADOOP_OPTS="${HADOOP_OPTS} -Dlog4j.configuration=file:${share}/log4j.properties"
  # --loglevel of "hdfs"; without it the command decides.
  if [[ -n "${HADOOP_LOGLEVEL}" && "${HADOOP_LOGLEVEL}" != INFO ]]; then
    HADOOP_OPTS="${HADOOP_OPTS} -Dbraid.log.hadoop=${HADOOP_LOGLEVEL} -Dbraid.log.braid=${HADOOP_LOGLEVEL}"
  fi
  HADOOP_OPTS="${HADOOP_OPTS} -Dbraid.home=${share}"
  [[ ! -t 2 ]] || HADOOP_OPTS="${HADOOP_OPTS} -Dbraid.terminal=true"
  [[ ! -t 1 ]] || HADOOP_OPTS="${HADOOP_OPTS} -Dbraid.screen=true"
}
