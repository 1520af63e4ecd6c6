package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.braid.clients.probe.Probe;
import org.braid.clients.probe.ProbeContent;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program in C reads through libhdfs, Hadoop's library for such programs, which no Maven artifact
 * has: {@code -Dbraid.libhdfs} names it. FUSE's file system and many engines in C++ read through
 * it.
 */
@EnabledIfSystemProperty(named = "braid.libhdfs", matches = ".+")
final class LibhdfsTest {
  private static final int LENGTH = 40 * (64 << 10) + 777;
  private static final int BLOCKS = 41;
  private static final int LINES = 10;
  private static final long MINUTES = 3;
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final long SEED = Seeds.random(LibhdfsTest.class).nextInt(1 << 20);

  @TempDir private Path directory;

  @Test
  void filesAreReadWithAndWithoutANode() throws Exception {
    Path program = compiled();
    String own = ClassPaths.servers().get(ClassPaths.OWN_VERSION);
    try (Program hdfs =
        MatrixServer.start(own, directory.resolve("server"), TARGET.resolve("libhdfs.err"))) {
      URI uri = URI.create(hdfs.answer());
      List<Path> hadoops =
          ClassPaths.below(TARGET.resolve("clients"), "").stream()
              .filter(place -> place.getFileName().toString().startsWith("hadoop-client"))
              .toList();
      assertFalse(hadoops.isEmpty());
      hdfs.tell("write /libhdfs " + SEED + " " + LENGTH + " " + LINES);
      hdfs.tell("convert /libhdfs");
      hdfs.tell("settle /libhdfs");
      for (Path hadoop : hadoops) {
        assertEquals(expected(), read(program, uri, hadoop, true), hadoop + ", healthy");
        assertEquals(expected(), read(program, uri, hadoop, false), hadoop + ", stock, healthy");
      }
      hdfs.tell("lose /libhdfs");
      for (Path hadoop : hadoops) {
        assertEquals(expected(), read(program, uri, hadoop, true), hadoop + ", lost");
      }
      hdfs.tell("watch");
      for (Path hadoop : hadoops) {
        assertEquals(expected(), read(program, uri, hadoop, false), hadoop + ", stock, daemon");
      }
    }
  }

  private Path compiled() throws Exception {
    Path program = directory.resolve("reader");
    URI source = Objects.requireNonNull(LibhdfsTest.class.getResource("/libhdfs-reader.c")).toURI();
    List<String> command =
        List.of("cc", "-O1", "-o", program.toString(), Path.of(source).toString(), "-ldl");
    Process compiler = new ProcessBuilder(command).inheritIO().start();
    assertEquals(0, compiler.waitFor());
    return program;
  }

  private static List<String> expected() {
    byte[] bytes = ProbeContent.bytes(SEED, LENGTH);
    byte[] half = Arrays.copyOfRange(bytes, LENGTH / 2, LENGTH);
    return List.of(
        "> stream " + sum(bytes),
        "> positioned " + sum(bytes),
        "> half " + sum(half),
        "> blocks " + BLOCKS);
  }

  private static String sum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return "%d %08x".formatted(bytes.length, crc.getValue());
  }

  /** What the program says of the file, with Braid's client or HDFS's own. */
  private List<String> read(Path program, URI uri, Path hadoop, boolean braid) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                System.getProperty("braid.libhdfs"),
                uri.getHost(),
                Integer.toString(uri.getPort()),
                "/libhdfs/" + Probe.BYTES,
                "dfs.client.retry.window.base=30"));
    String classPath = ClassPaths.jars(hadoop);
    if (braid) {
      command.add("fs.hdfs.impl=org.braid.hdfs.client.BraidFileSystem");
      classPath = ClassPaths.braid("SNAPSHOT.jar") + File.pathSeparator + classPath;
    }
    Path said = Files.createTempFile(directory, "said", "");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", classPath);
    builder
        .environment()
        .put(
            "LIBHDFS_OPTS",
            "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                + " --add-opens=java.base/java.nio=ALL-UNNAMED");
    builder.redirectOutput(said.toFile());
    builder.redirectError(
        ProcessBuilder.Redirect.appendTo(TARGET.resolve("libhdfs-client.err").toFile()));
    Process process = builder.start();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    return Files.readAllLines(said).stream().filter(line -> line.startsWith("> ")).toList();
  }
}
