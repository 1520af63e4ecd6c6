package org.braid.cli.cluster.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HadoopFilesTest {
  @Test
  void filesThatClientsReadAreTaken(@TempDir Path directory) throws IOException {
    assertEquals(List.of(), HadoopFiles.in(null));
    assertEquals(List.of(), HadoopFiles.in(""));
    assertEquals(List.of(), HadoopFiles.in(directory.resolve("none").toString()));
    Files.writeString(directory.resolve("yarn-site.xml"), "<configuration/>");
    Path hdfs = Files.writeString(directory.resolve("hdfs-site.xml"), "<configuration/>");
    assertEquals(List.of(hdfs), HadoopFiles.in(directory.toString()));
    Path core = Files.writeString(directory.resolve("core-site.xml"), "<configuration/>");
    assertEquals(List.of(core, hdfs), HadoopFiles.in(directory.toString()));
  }
}
