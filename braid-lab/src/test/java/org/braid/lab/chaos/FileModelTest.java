package org.braid.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.GeneratedContent;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** The model beside one that keeps every byte. */
final class FileModelTest {
  private static final int STEPS = 4000;
  private static final long BLOCK = 64;

  private final Random random = Seeds.random(FileModelTest.class);

  /** Files as arrays of bytes. */
  private static final class Bytes {
    private final TreeMap<String, byte[]> files = new TreeMap<>();
    private final Map<String, TreeMap<String, byte[]>> snapshots = new HashMap<>();

    private static byte[] bytes(GeneratedContent content) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      content.write(out);
      return out.toByteArray();
    }

    private byte[] file(String path) {
      byte[] bytes = files.get(path);
      assertTrue(bytes != null, () -> path + " is not there");
      return bytes;
    }

    private void join(String path, byte[] more) {
      byte[] first = file(path);
      byte[] all = Arrays.copyOf(first, first.length + more.length);
      System.arraycopy(more, 0, all, first.length, more.length);
      files.put(path, all);
    }

    void apply(Command.Change change) throws IOException {
      String path = change.path();
      if (change instanceof Command.Create create) {
        files.put(path, bytes(create.content()));
      } else if (change instanceof Command.Append append) {
        assertArrayEquals(bytes(append.before()), file(path));
        join(path, bytes(append.more()));
      } else if (change instanceof Command.Truncate truncate) {
        files.put(path, Arrays.copyOf(file(path), (int) truncate.length()));
      } else if (change instanceof Command.Concat concat) {
        for (String source : concat.sources()) {
          join(path, file(source));
          files.remove(source);
        }
        assertEquals(concat.length(), file(path).length);
      } else if (change instanceof Command.Rename rename) {
        assertEquals(null, files.put(rename.to(), file(path)), "a rename replaces nothing");
        files.remove(path);
      } else if (change instanceof Command.Delete) {
        files.keySet().removeIf(name -> (name + "/").startsWith(path + "/"));
      } else if (change instanceof Command.Snapshot take) {
        TreeMap<String, byte[]> kept = new TreeMap<>(files);
        kept.keySet().removeIf(name -> !name.startsWith(path + "/"));
        snapshots.put(take.name(), kept);
      } else if (change instanceof Command.DropSnapshot drop) {
        assertTrue(snapshots.remove(drop.name()) != null, "only what was taken is dropped");
      }
    }

    private Map<String, byte[]> contents(String directory) {
      Map<String, byte[]> all = new HashMap<>(files);
      snapshots.forEach(
          (name, kept) ->
              kept.forEach(
                  (path, bytes) ->
                      all.put(
                          directory + "/.snapshot/" + name + path.substring(directory.length()),
                          bytes)));
      return all;
    }
  }

  @Test
  void holdsWhatAModelOfBytesHolds() throws IOException {
    ClientSteps steps = new ClientSteps("/c", BLOCK, new SplittableRandom(random.nextLong()));
    FileModel model = new FileModel();
    Bytes bytes = new Bytes();
    Set<Class<?>> seen = new HashSet<>();
    for (int i = 0; i < STEPS; i++) {
      Command step = steps.next(model);
      seen.add(step.getClass());
      if (step instanceof Command.Change change) {
        model.apply(change);
        bytes.apply(change);
      } else if (step instanceof Command.Compare compare) {
        assertEquals(model.contents().get(compare.path()), compare.content());
        assertTrue(compare.offset() + compare.length() <= compare.content().length());
      }
      if (i % 40 == 0) {
        Map<String, byte[]> wanted = bytes.contents("/c/s");
        assertEquals(wanted.keySet(), model.contents().keySet());
        for (Map.Entry<String, GeneratedContent> file : model.contents().entrySet()) {
          assertArrayEquals(wanted.get(file.getKey()), Bytes.bytes(file.getValue()), file.getKey());
        }
      }
    }
    // Each kind of step but those of the set-up.
    assertEquals(12, seen.size(), seen.toString());
    assertEquals(
        model.files().values().stream().mapToLong(file -> file.content().length()).sum(),
        model.bytes());
  }

  /** HDFS 3.5.0 would cut the files of the snapshots, too. */
  @Test
  void filesThatMovedSinceASnapshotAreNotCut() {
    ClientSteps steps = new ClientSteps("/c", BLOCK, new SplittableRandom(random.nextLong()));
    FileModel model = new FileModel();
    int moved = 0;
    int cut = 0;
    for (int i = 0; i < STEPS; i++) {
      Command step = steps.next(model);
      if (step instanceof Command.Rename rename && model.file(rename.path()).inSnapshot()) {
        moved++;
        model.apply(rename);
        assertTrue(model.file(rename.to()).movedSince());
      } else if (step instanceof Command.Change change) {
        if (change instanceof Command.Truncate) {
          cut += model.file(change.path()).inSnapshot() ? 1 : 0;
          assertEquals(false, model.file(change.path()).movedSince(), change.path());
        }
        model.apply(change);
      }
    }
    assertTrue(moved > 10 && cut > 10, moved + " moved, " + cut + " cut");
  }

  @Test
  void filesOfSnapshotsAreJoinedToNone() {
    ClientSteps steps = new ClientSteps("/c", BLOCK, new SplittableRandom(random.nextLong()));
    FileModel model = new FileModel();
    int joined = 0;
    for (int i = 0; i < STEPS; i++) {
      Command step = steps.next(model);
      if (step instanceof Command.Concat concat) {
        joined += concat.sources().size();
        for (String source : concat.sources()) {
          assertEquals(false, model.file(source).inSnapshot(), source);
          assertTrue(model.file(source).content().length() > 0, source);
        }
      }
      if (step instanceof Command.Change change) {
        model.apply(change);
      }
    }
    assertTrue(joined > 0);
  }

  @Test
  void aTruncationBesideASnapshotDoesNotOutliveARestart() {
    FileModel model = new FileModel();
    GeneratedContent content = GeneratedContent.of(1, 2 * BLOCK);
    model.apply(new Command.Create("/d/kept", content, 3, BLOCK));
    model.apply(new Command.Snapshot("/d", "n0"));
    model.apply(new Command.Create("/d/later", content, 3, BLOCK));
    Command kept = new Command.Truncate("/d/kept", BLOCK + 1);
    assertTrue(model.outlivesNoRestart(kept));
    assertFalse(model.outlivesNoRestart(new Command.Truncate("/d/later", BLOCK + 1)));
    assertFalse(
        model.outlivesNoRestart(new Command.Append("/d/kept", content, GeneratedContent.of(2, 1))));
    model.apply(new Command.Rename("/d/kept", "/d/moved"));
    assertTrue(model.outlivesNoRestart(new Command.Truncate("/d/moved", BLOCK + 1)));
  }
}
