package org.braid.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

final class KernelChoiceTest {
  private final List<String> lines = new ArrayList<>();

  private static KernelChoice.Attempt missing() {
    return KernelChoice.load(List.of("braid-no-such-library", "libbraid-none.so.2"));
  }

  @Test
  void autoFallsBackToScalarWithOneLineThatGivesCauseAndCure() {
    KernelChoice choice = KernelChoice.choose("auto", KernelChoiceTest::missing, lines::add);
    assertSame(Kernels.scalar(), choice.kernel());
    assertEquals(1, lines.size());
    String line = lines.get(0);
    assertTrue(line.startsWith("ISA-L cannot be used ("), line);
    assertTrue(line.contains("braid-no-such-library"), line);
    assertTrue(line.contains("libbraid-none.so.2"), line);
    assertTrue(
        line.endsWith("install the package libisal2 (Debian, Ubuntu) or isa-l (RHEL, Fedora)"),
        line);
    assertFalse(line.contains("\n"), line);
    assertTrue(choice.description().startsWith("scalar ("), choice.description());
    assertTrue(choice.description().contains("braid-no-such-library"), choice.description());
  }

  @Test
  void isalDemandedButMissingIsAnErrorWithTheReason() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> KernelChoice.choose("isal", KernelChoiceTest::missing, lines::add));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("braid.kernel=isal, but ISA-L cannot be used ("), message);
    assertTrue(message.contains("braid-no-such-library"), message);
    assertTrue(message.contains("install the package libisal2"), message);
    assertEquals(List.of(), lines);
  }

  @Test
  void aLibraryWithoutTheFunctionsIsNoKernel() {
    KernelChoice.Attempt attempt = KernelChoice.load(List.of("libm.so.6"));
    assertNull(attempt.kernel());
    assertFalse(attempt.reason().isEmpty());
  }

  @Test
  void scalarDoesNotEvenTryTheLibrary() {
    KernelChoice choice =
        KernelChoice.choose(
            "scalar",
            () -> {
              throw new AssertionError("tried");
            },
            lines::add);
    assertSame(Kernels.scalar(), choice.kernel());
    assertEquals("scalar (braid.kernel=scalar)", choice.description());
    assertEquals(List.of(), lines);
  }

  @Test
  void otherModesAreRefused() {
    assertEquals(
        "braid.kernel is \"fast\"; known are auto, isal and scalar",
        assertThrows(
                IllegalArgumentException.class,
                () -> KernelChoice.choose("fast", KernelChoiceTest::missing, lines::add))
            .getMessage());
  }

  @Test
  void theLibraryThatLoadsIsUsedAndNamed() {
    Assumptions.assumeTrue(Kernels.isal().isPresent(), "ISA-L is not installed here");
    List<String> libraries = List.of("braid-no-such-library", "libisal.so.2", "isal");
    for (String mode : List.of("auto", "isal")) {
      KernelChoice choice =
          KernelChoice.choose(mode, () -> KernelChoice.load(libraries), lines::add);
      assertEquals("isal", choice.kernel().name());
      assertTrue(choice.description().startsWith("isal ("), choice.description());
    }
    assertEquals(List.of(), lines);
  }

  @Test
  void theProcessKeepsOneKernel() {
    assertSame(Kernels.active(), Kernels.active());
    assertTrue(
        Kernels.description().startsWith(Kernels.active().name() + " ("), Kernels.description());
  }

  @Test
  void withoutJnaTheScalarKernelWorksAndSaysWhatIsMissing() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Class<?> one : List.of(Kernels.class, Logger.class)) {
      urls.add(one.getProtectionDomain().getCodeSource().getLocation());
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), platform)) {
      Method load =
          loader.loadClass(KernelChoice.class.getName()).getDeclaredMethod("load", List.class);
      load.setAccessible(true);
      String attempt = String.valueOf(load.invoke(null, List.of("libisal.so.2")));
      assertTrue(
          attempt.contains("kernel=null, reason=there is no JNA, advice=put jna.jar"), attempt);
      Object description =
          loader.loadClass(Kernels.class.getName()).getMethod("description").invoke(null);
      // A JVM of which braid.kernel asks for the scalar kernel gives that as the reason.
      String mode = System.getProperty(Kernels.PROPERTY, "auto");
      String reason = mode.equals("scalar") ? Kernels.PROPERTY + "=scalar" : "there is no JNA";
      assertEquals("scalar (" + reason + ")", description);
    }
  }
}
