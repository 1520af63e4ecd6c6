package org.braid.lab.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.braid.experiment.ExperimentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class YarnJarsTest {
  @TempDir private Path dir;

  private Path jar(String name) throws IOException {
    return Files.createFile(dir.resolve(name));
  }

  @Test
  void missingJarsAreNamed() throws IOException {
    jar("hadoop-yarn-server-nodemanager-3.5.0.jar");
    jar("hadoop-mapreduce-client-app-3.5.0.jar");
    jar("hadoop-mapreduce-client-shuffle-3.5.0.jar");
    ExperimentException e = assertThrows(ExperimentException.class, () -> YarnJars.in(dir));
    assertEquals(ExperimentException.Cause.REFUSED, e.cause());
    assertEquals(
        dir
            + " lacks jars of YARN (hadoop-yarn-server-resourcemanager,"
            + " hadoop-mapreduce-client-jobclient): build Braid anew",
        e.getMessage());
    assertThrows(ExperimentException.class, () -> YarnJars.in(dir.resolve("nothing")));
  }

  @Test
  void jarsComeInOrder() throws IOException, ExperimentException {
    Path first = jar("hadoop-mapreduce-client-app-3.5.0.jar");
    Path second = jar("hadoop-mapreduce-client-jobclient-3.5.0.jar");
    Path third = jar("hadoop-mapreduce-client-shuffle-3.5.0.jar");
    Path fourth = jar("hadoop-yarn-server-nodemanager-3.5.0.jar");
    Path fifth = jar("hadoop-yarn-server-resourcemanager-3.5.0.jar");
    jar("README");
    assertEquals(List.of(first, second, third, fourth, fifth), YarnJars.in(dir));
  }
}
