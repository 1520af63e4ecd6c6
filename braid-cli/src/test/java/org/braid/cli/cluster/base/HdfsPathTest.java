package org.braid.cli.cluster.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HdfsPathTest {
  /** Hive writes times of partitions as 00%3A00; a file name may have any of these characters. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a",
        "/t/ts=2026-01-01 00%3A00",
        "/a%20b",
        "/logs#old",
        "/logs?x=1",
        "/50%",
        "/[x]{y}",
        "/a\tb",
        "/a\nb",
        "/caf\u00e9",
        "/cafe\u0301"
      })
  void aNameMeansTheSameWithAndWithoutItsHost(String path) {
    assertEquals(new HdfsPath(Optional.empty(), path), HdfsPath.parse(path));
    assertEquals(
        new HdfsPath(Optional.of("hdfs://nn:8020"), path), HdfsPath.parse("hdfs://nn:8020" + path));
  }

  @Test
  void nameServicesMayHaveUnderscoresAndNoPath() {
    assertEquals(new HdfsPath(Optional.of("hdfs://my_ns"), "/"), HdfsPath.parse("hdfs://my_ns"));
    assertEquals(new HdfsPath(Optional.of("hdfs://my_ns"), "/"), HdfsPath.parse("hdfs://my_ns/"));
  }

  /** Hadoop takes what follows two slashes for a host. */
  @Test
  void slashesTooManyNameNothingElse() {
    assertEquals("/logs", HdfsPath.parse("//logs/").path());
    assertEquals("/", HdfsPath.parse("//").path());
    assertEquals("/logs/a", HdfsPath.parse("hdfs://nn//logs//a/").path());
  }

  /** The NameNode takes them for names, and a command would find nothing below them. */
  @Test
  void dotsMeanWhatTheyMeanToHadoopsClients() {
    assertEquals("/tables", HdfsPath.parse("/tables/.").path());
    assertEquals("/tables/a", HdfsPath.parse("/logs/../tables/./a").path());
    assertEquals("/", HdfsPath.parse("hdfs://nn/logs/..").path());
    assertEquals("/.braid/..a/...", HdfsPath.parse("/.braid/..a/...").path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "hdfs:",
        "hdfs:/a",
        "hdfs://",
        "hdfs:///a",
        "hdfs://nn?x",
        "file:///a",
        "/..",
        "/a/../../b",
        "/a:b"
      })
  void othersAreNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> HdfsPath.parse(text));
  }
}
