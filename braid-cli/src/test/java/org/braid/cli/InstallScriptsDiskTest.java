package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is left when {@code install.sh} or {@code uninstall.sh} cannot write. */
@Tag("slow")
final class InstallScriptsDiskTest extends InstallScripts {
  private static final int LIMIT_KIB = 128;

  /** Properties that fill a file up to some bytes before the limit. */
  private static String nearTheLimit(int bytes) {
    String end = " -->\n";
    return STOCK
        + "<!-- "
        + "x".repeat(LIMIT_KIB * 1024 - bytes - STOCK.length() - "<!-- ".length() - end.length())
        + end;
  }

  /** Runs a script where no file can become longer than the limit, as on a full disk. */
  private Run limited(Path script, String... options) throws Exception {
    Path limited = directory.resolve("limited.sh");
    Files.writeString(
        limited,
        "#!/usr/bin/env bash\ntrap '' XFSZ\nulimit -f %d || exit 9\nexec '%s' \"$@\"\n"
            .formatted(LIMIT_KIB, script));
    Files.setPosixFilePermissions(limited, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script(limited, options);
  }

  private List<String> besideTheSite() throws IOException {
    try (Stream<Path> files = Files.list(site.getParent())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void propertiesStayWhenTheDiskIsFull() throws Exception {
    String text = nearTheLimit(100);
    write(text);
    Run run = limited(release.resolve("bin/install.sh"), "--configure");
    refused(run, 1, site + " is as it was");
    assertEquals(text, text());
    assertFalse(besideTheSite().contains("hdfs-site.xml.braid-new"), "" + besideTheSite());
    done(install("--configure"));
    assertEquals(text, Files.readString(copy()));
    // Users have added something since.
    String more = text().replace("<!-- x", "<!-- " + "x".repeat(200));
    write(more);
    refused(limited(home.resolve("share/braid/uninstall.sh")), 1, site + " is as it was");
    assertEquals(more, text());
    done(uninstall());
    assertFalse(text().contains("braid:"), "marks are left");
  }

  @Test
  void theCopyBeforeBraidIsWholeOrNotThere() throws Exception {
    String text = nearTheLimit(-100);
    write(text);
    refused(limited(release.resolve("bin/install.sh"), "--configure"), 1, "cannot write " + copy());
    assertEquals(text, text());
    assertFalse(Files.exists(copy()));
    done(install("--configure"));
    assertEquals(text, Files.readString(copy()));
  }

  /** What was written beside the file is all that there is of it then. */
  @Test
  void newPropertiesAreKeptWhenTheyCannotBeCopiedIntoTheirFile() throws Exception {
    done(install("--role", "client", "--configure"));
    Path cat = Files.createDirectories(directory.resolve("bin")).resolve("cat");
    Files.writeString(
        cat,
        """
        #!/bin/sh
        case "$*" in *.braid-new) echo '<conf'; exit 1 ;; esac
        exec /bin/cat "$@"
        """);
    Files.setPosixFilePermissions(cat, PosixFilePermissions.fromString("rwxr-xr-x"));
    environment.put("PATH", cat.getParent() + ":" + System.getenv("PATH"));
    Path beside = site.resolveSibling("hdfs-site.xml.braid-new");
    refused(install("--configure"), 1, "copy " + beside + " over it");
    assertTrue(Files.readString(beside).contains(NAMENODE), Files.readString(beside));
    environment.remove("PATH");
    String kept = Files.readString(beside);
    refused(install("--configure"), 1, "copy it over it, or delete it");
    refused(uninstall(), 1, "copy it over it, or delete it");
    assertEquals(kept, Files.readString(beside));
    Files.copy(beside, site, StandardCopyOption.REPLACE_EXISTING);
    Run run = done(install("--configure"));
    assertFalse(Files.exists(beside), run.out());
    done(uninstall());
    assertEquals(STOCK, text());
  }

  @Test
  void theFileKeepsItsRightsAndLinks() throws Exception {
    Path real = site.resolveSibling("real.xml");
    Files.move(site, real);
    Files.createSymbolicLink(site, real.getFileName());
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
    Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
    done(install("--configure"));
    assertTrue(Files.isSymbolicLink(site));
    assertTrue(text().contains(NAMENODE), text());
    done(uninstall());
    assertEquals(STOCK, text());
    assertEquals(key, Files.readAttributes(real, BasicFileAttributes.class).fileKey());
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
  }
}
