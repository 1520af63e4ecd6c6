package org.braid.hdfs.datanode.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which failures are a disk's, in any language. */
final class SystemErrorsTest {
  private static final Map<Integer, String> GERMAN =
      Map.of(
          5,
          "Eingabe-/Ausgabefehler",
          23,
          "Zu viele offene Dateien im System",
          24,
          "Zu viele offene Dateien",
          117,
          "Die Struktur muss bereinigt werden");

  private final SystemErrors german =
      new SystemErrors(error -> GERMAN.getOrDefault(error, "Unbekannt"));
  private final SystemErrors silent = new SystemErrors(error -> "");

  private static FileSystemException said(String reason) {
    return new FileSystemException("blk_1", null, reason);
  }

  /** Else the node is taken for one that stops, and the replica is not rebuilt. */
  @Test
  void aDiskThatFailsIsFoundOutInTheLanguageOfTheProcess() {
    for (int error : new int[] {5, 117}) {
      IOException told = german.ofOpening(said(GERMAN.get(error)));
      assertTrue(told instanceof UnreadableException, told.toString());
      assertFalse(german.isOfTheNode(told));
    }
    for (SystemErrors errors : List.of(german, silent)) {
      IOException english = errors.ofOpening(said("Input/output error"));
      assertTrue(english instanceof UnreadableException, english.toString());
    }
  }

  /** Else a replica that is well would be taken for lost. */
  @Test
  void aProcessThatMayOpenNoMoreFilesSaysNothingOfAReplica() {
    for (int error : new int[] {23, 24}) {
      FileSystemException many = said(GERMAN.get(error));
      assertSame(many, german.ofOpening(many));
      assertTrue(german.isOfTheNode(many));
      IOException meta = new FileNotFoundException("blk_1.meta (" + GERMAN.get(error) + ")");
      assertTrue(german.isOfOpenFiles(meta));
      assertTrue(german.isOfTheNode(new IOException("not read", meta)));
    }
    assertTrue(silent.isOfOpenFiles(new FileNotFoundException("f (Too many open files)")));
    assertFalse(german.isOfTheNode(new FileNotFoundException("blk_1 (Datei nicht gefunden)")));
    assertFalse(german.isOfOpenFiles(new FileNotFoundException()));
  }

  @Test
  void aFileWithoutAReasonIsNoDisks() {
    FileSystemException bare = new FileSystemException("blk_1");
    assertSame(bare, german.ofOpening(bare));
    assertEquals("blk_1", bare.getMessage());
  }
}
