package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.braid.testing.Seeds;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The client's jar for Java 8 has class files of Java 8, which name nothing that Java 8 lacks. */
final class OlderJarTest {
  private static final int JAVA_8 = 52;
  private static File jar;

  @BeforeAll
  static void find() throws IOException {
    Optional<String> built = ClassPaths.built("-java8.jar");
    assumeTrue(built.isPresent(), "the jar is made with -Prelease or -Dbraid.clients.java");
    jar = new File(built.get());
  }

  /** Classes but those that newer JVMs take instead of others. */
  private static List<JarEntry> classes(JarFile file) {
    return file.stream()
        .filter(entry -> entry.getName().endsWith(".class"))
        .filter(entry -> !entry.getName().startsWith("META-INF/"))
        .toList();
  }

  @Test
  void itsClassFilesAreOfJava8() throws IOException {
    TreeMap<String, Integer> newer = new TreeMap<>();
    try (JarFile file = new JarFile(jar)) {
      for (JarEntry entry : classes(file)) {
        try (InputStream in = file.getInputStream(entry)) {
          byte[] head = in.readNBytes(8);
          int version = ((head[6] & 255) << 8) | (head[7] & 255);
          if (version > JAVA_8) {
            newer.put(entry.getName(), version);
          }
        }
      }
      assertTrue(classes(file).size() > 300, classes(file).size() + " classes");
      assertEquals("true", file.getManifest().getMainAttributes().getValue("Multi-Release"));
    }
    assertEquals(new TreeMap<>(), newer);
  }

  /** The loader of HDFS's classes may have to define these, and knows no other of Braid's. */
  @Test
  void whatStandsInHadoopsPackagesNeedsNothingButHadoopAndJava() throws IOException {
    Set<String> needy = new TreeSet<>();
    try (JarFile file = new JarFile(jar)) {
      List<JarEntry> hadoops =
          classes(file).stream()
              .filter(entry -> entry.getName().startsWith("org/apache/hadoop/"))
              .toList();
      assertTrue(hadoops.size() > 5, hadoops.toString());
      for (JarEntry entry : hadoops) {
        try (InputStream in = file.getInputStream(entry)) {
          if (new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).contains("org/braid/")) {
            needy.add(entry.getName());
          }
        }
      }
    }
    assertEquals(Set.of(), needy);
  }

  @Test
  void namesNothingThatJava8Lacks() throws IOException {
    Complaints complaints = new Complaints();
    Path signature = Path.of(System.getProperty("braid.java8"));
    try (InputStream java8 = Files.newInputStream(signature)) {
      SignatureChecker checker =
          new SignatureChecker(
              java8,
              Set.of("org.braid.*", "org.apache.*", "org.slf4j.*", "com.sun.jna.*"),
              complaints);
      checker.setSourcePath(List.of());
      checker.process(jar);
    }
    assertEquals(Set.of(), complaints.heard);
  }

  /** What it has in the place of newer JVMs' own does the same. */
  @Test
  void sumsAndLongsAreThoseOfNewerJvms() throws Exception {
    Class<?> jdk = new BaseClasses().loadClass("org.braid.kernel.Jdk");
    Random random = Seeds.random(OlderJarTest.class);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(70_000)];
      random.nextBytes(bytes);
      int from = random.nextInt(bytes.length + 1);
      int length = random.nextInt(bytes.length - from + 1);
      Checksum expected = new CRC32C();
      Checksum sum = (Checksum) member(jdk, "crc32c").invoke(null);
      expected.update(bytes, from, length);
      sum.update(bytes, from, length);
      ByteBuffer rest = i % 2 == 0 ? ByteBuffer.wrap(bytes) : ByteBuffer.allocateDirect(from);
      if (i % 2 == 1) {
        rest.put(bytes, 0, from);
      }
      rest.clear().limit(from).position(from / 3);
      expected.update(rest.duplicate());
      member(jdk, "update", Checksum.class, ByteBuffer.class).invoke(null, sum, rest);
      assertEquals(0, rest.remaining());
      sum.update(i);
      expected.update(i);
      assertEquals(expected.getValue(), sum.getValue());
      sum.reset();
      assertEquals(0, sum.getValue());
    }
    byte[] bytes = new byte[64];
    random.nextBytes(bytes);
    ByteBuffer view = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.nativeOrder());
    Method get = member(jdk, "getLong", byte[].class, int.class);
    Method put = member(jdk, "putLong", byte[].class, int.class, long.class);
    for (int i = 0; i <= 56; i++) {
      assertEquals(view.getLong(i), get.invoke(null, bytes, i));
      put.invoke(null, bytes, i, view.getLong(i));
    }
    assertArrayEquals(view.array(), bytes);
    for (int index : new int[] {-1, 57, Integer.MAX_VALUE}) {
      assertThrows(InvocationTargetException.class, () -> get.invoke(null, bytes, index));
      assertThrows(InvocationTargetException.class, () -> put.invoke(null, bytes, index, 1L));
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(1000);
    assertEquals(
        direct.alignmentOffset(3, 64),
        member(jdk, "alignmentOffset", ByteBuffer.class, int.class, int.class)
            .invoke(null, direct, 3, 64));
  }

  private static Method member(Class<?> jdk, String name, Class<?>... types) throws Exception {
    Method method = jdk.getDeclaredMethod(name, types);
    method.setAccessible(true);
    return method;
  }

  /** The jar's classes as Java 8 sees them. */
  private static final class BaseClasses extends ClassLoader {
    BaseClasses() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (JarFile file = new JarFile(jar);
          InputStream in =
              file.getInputStream(file.getJarEntry(name.replace('.', '/') + ".class"))) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** What the checker finds, but what the downgrader's own classes do only on newer JVMs. */
  private static final class Complaints implements Logger {
    private final Set<String> heard = new TreeSet<>();

    @Override
    public void info(String message) {}

    @Override
    public void info(String message, Throwable cause) {}

    @Override
    public void debug(String message) {}

    @Override
    public void debug(String message, Throwable cause) {}

    @Override
    public void warn(String message) {
      error(message);
    }

    @Override
    public void warn(String message, Throwable cause) {
      error(message);
    }

    @Override
    public void error(String message) {
      // The compiler gives a method handle's calls the types of their arguments.
      if (!message.contains("java.lang.invoke.MethodHandle.invoke")) {
        heard.add(message);
      }
    }

    @Override
    public void error(String message, Throwable cause) {
      error(message);
    }
  }
}
