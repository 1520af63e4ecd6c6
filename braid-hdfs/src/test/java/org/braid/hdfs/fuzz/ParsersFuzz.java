package org.braid.hdfs.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import org.braid.testing.FuzzTargets;
import org.braid.testing.Fuzzed;

/**
 * Searches for inputs that a parser fails on, guided by the code that they reach, from the seeds of
 * its target on. Surefire runs it only when it is named, one method at a time; what is found stays
 * beside the other seeds in {@code src/test/resources}, where {@link ParsersTest} reads it.
 */
@FuzzTargets(ParserTarget.class)
final class ParsersFuzz {
  @Fuzzed
  void attribute(byte[] input) {
    ParserTarget.ATTRIBUTE.parser().feed(input);
  }

  @Fuzzed
  void checkedAttribute(byte[] input) {
    ParserTarget.CHECKED_ATTRIBUTE.parser().feed(input);
  }

  @Fuzzed
  void delimited(byte[] input) {
    ParserTarget.DELIMITED.parser().feed(input);
  }

  @Fuzzed
  void fragment(byte[] input) {
    ParserTarget.FRAGMENT.parser().feed(input);
  }

  @Fuzzed
  void heartbeat(byte[] input) {
    ParserTarget.HEARTBEAT.parser().feed(input);
  }

  @Fuzzed
  void blockToken(byte[] input) {
    ParserTarget.BLOCK_TOKEN.parser().feed(input);
  }

  @Fuzzed
  void stream(byte[] input) {
    ParserTarget.STREAM.parser().feed(input);
  }

  @Fuzzed
  void status(byte[] input) {
    ParserTarget.STATUS.parser().feed(input);
  }

  @DictionaryEntries({
    "rs-",
    "lrc-",
    "clay-",
    "hitchhiker-xor-",
    "xorbas-",
    "mxor-",
    "flr-n",
    "rotated-rs-",
    ",c=",
    ",racks=",
    ",across",
    ",policy=ear",
    ",layout=hdfs",
    ",placement=code-aware"
  })
  @Fuzzed
  void earSetting(byte[] input) {
    ParserTarget.EAR_SETTING.parser().feed(input);
  }

  @DictionaryEntries({
    "\"format\":1",
    "\"revision\":",
    "\"user\":",
    "\"at\":",
    "\"change\":",
    "\"policies\":[",
    "\"pauses\":{",
    "\"name\":",
    "\"enabled\":true",
    "\"action\":\"convert\"",
    "\"action\":\"restore\"",
    "\"action\":\"leave\"",
    "\"path\":\"/**\"",
    "\"owner\":",
    "\"min_size\":",
    "\"max_size\":",
    "\"min_blocks\":",
    "\"max_blocks\":",
    "\"older_than\":",
    "\"modified_within\":",
    "\"unread_for\":",
    "\"read_within\":",
    "\"code\":",
    "\"placement\":",
    "\"group\":",
    "\"max_per_rack\":",
    "\"target_racks\":",
    "\"parity_copies\":",
    "\"window\":",
    "\"zone\":",
    "\"repair\":",
    "\"scrub\":"
  })
  @Fuzzed
  void policies(byte[] input) {
    ParserTarget.POLICIES.parser().feed(input);
  }

  @DictionaryEntries({"**", "/**/", "*", "?", "[a-z]", "[!", "{", ",", "}", "\\"})
  @Fuzzed
  void glob(byte[] input) {
    ParserTarget.GLOB.parser().feed(input);
  }

  @DictionaryEntries({
    "2026-10-25 02:11:12,345",
    "T",
    ".",
    "Z",
    "+02:00",
    "-0130",
    "allowed=true\t",
    "allowed=false\t",
    "\tugi=",
    "\tip=",
    "\tcmd=open",
    "\tcmd=rename",
    "\tsrc=",
    "\tdst=",
    "\tperm=null",
    "\\u",
    "\\t",
    "\\\\",
    "/.reserved/.inodes/",
    "/.reserved/raw/",
    "/.snapshot/"
  })
  @Fuzzed
  void auditLog(byte[] input) {
    ParserTarget.AUDIT_LOG.parser().feed(input);
  }

  @DictionaryEntries({
    "\"format\":1",
    "\"until\":",
    "\"since\":{",
    "\"/\":",
    "\"/logs/**\":",
    "\"2026-01-01T00:00:00Z\"",
    "\"9999-12-31T23:59:59.999Z\"",
    "\"1970-01-01T00:00:00Z\"",
    "+01:00",
    "null",
    "1e0",
    "\\u0000"
  })
  @Fuzzed
  void knownReads(byte[] input) {
    ParserTarget.KNOWN_READS.parser().feed(input);
  }

  @Fuzzed
  void scrubRecord(byte[] input) {
    ParserTarget.SCRUB_RECORD.parser().feed(input);
  }

  @DictionaryEntries({
    "22:00-06:00",
    "00:00",
    "24:00",
    "23:59",
    "-",
    " ",
    "Europe/Berlin",
    "Antarctica/Troll",
    "UTC",
    "GMT+",
    "Z",
    "+18:00",
    "-18:00",
    "+01:02:03"
  })
  @Fuzzed
  void window(byte[] input) {
    ParserTarget.WINDOW.parser().feed(input);
  }

  @DictionaryEntries({
    "06:00",
    "2026-12-24",
    "T",
    "Z",
    "+18:00",
    "-01:00",
    "8h",
    "s",
    "m",
    "d",
    "999999999",
    "999999999999999",
    ".123456789"
  })
  @Fuzzed
  void moment(byte[] input) {
    ParserTarget.MOMENT.parser().feed(input);
  }
}
