package org.braid.hdfs.policy.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AuditLineTest {
  private static final String FIELDS =
      "allowed=true\tugi=ann (auth:KERBEROS)\tip=/10.0.0.7\tcmd=open\tsrc=/a/b\tdst=null"
          + "\tperm=null\tproto=rpc";

  private static AuditLine parse(String line) {
    return AuditLine.parse(line, ZoneOffset.UTC);
  }

  private static String refusal(String line) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> parse(line)).getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-11-25 10:11:12,345 INFO FSNamesystem.audit: |2026-11-25T10:11:12.345Z",
        "INFO  2026-11-25 10:11:12,345 [IPC Server] audit - |2026-11-25T10:11:12.345Z",
        "2026-11-25T10:11:12.5+0100 |2026-11-25T09:11:12.500Z",
        "2026-11-25 10:11:12Z |2026-11-25T10:11:12Z",
        "2026-11-25 10:11:12 |2026-11-25T10:11:12Z"
      })
  void anyPrefixThatNamesTheTimeIsRead(String prefix, Instant at) {
    AuditLine line = parse(prefix + " " + FIELDS);
    assertEquals(new AuditLine(at, at, true, "open", "/a/b", "null"), line);
  }

  @Test
  void pathsAreUnescaped() {
    AuditLine line =
        parse(
            "2026-11-25 10:11:12,345 INFO a: allowed=false\tugi=a=b\tip=/::1\tcmd=rename (options=[TO_TRASH])"
                + "\tsrc=/a=b\\tcmd=open \\u00E4\\\\\tdst=/\\\"\\uD83D\\uDE00\tperm=null");
    assertFalse(line.allowed());
    assertEquals("rename (options=[TO_TRASH])", line.command());
    assertEquals("/a=b\tcmd=open \u00e4\\", line.source());
    assertEquals("/\"\ud83d\ude00", line.target());
  }

  @Test
  void clocksThatArePutBackOrForward() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    AuditLine twice = AuditLine.parse("2026-10-25 02:30:00,000 " + FIELDS, berlin);
    assertEquals(Instant.parse("2026-10-25T00:30:00Z"), twice.earliest());
    assertEquals(Instant.parse("2026-10-25T01:30:00Z"), twice.latest());
    AuditLine never = AuditLine.parse("2026-03-29 02:30:00,000 " + FIELDS, berlin);
    assertEquals(Instant.parse("2026-03-29T01:30:00Z"), never.latest());
    assertEquals(never.earliest(), never.latest());
  }

  @Test
  void whatIsNoLineIsNamed() {
    assertEquals("it has no allowed=", refusal("java.io.IOException: torn"));
    assertTrue(refusal(FIELDS).startsWith("no time such as"));
    String time = "2026-11-25 10:11:12,345 ";
    assertEquals(
        "it ends within src=", refusal(time + FIELDS.substring(0, FIELDS.indexOf("\tdst"))));
    assertEquals("field 4 is not cmd=", refusal(time + FIELDS.replace("cmd=", "command=")));
    assertEquals(
        "allowed is neither true nor false", refusal(time + FIELDS.replace("true", "yes")));
    assertTrue(refusal("2026-13-25 10:11:12,345 " + FIELDS).startsWith("its time is none"));
    assertTrue(refusal(time + FIELDS.replace("/a/b", "/a\\q")).contains("none of Java's"));
    assertTrue(refusal(time + FIELDS.replace("/a/b", "/a\\u00")).contains("less than 4 digits"));
  }
}
