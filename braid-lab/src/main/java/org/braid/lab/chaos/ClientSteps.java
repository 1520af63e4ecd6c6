package org.braid.lab.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.braid.hdfs.testkit.lab.Command;
import org.braid.hdfs.testkit.lab.GeneratedContent;

/** Chooses the next step of a client on its files, which are all below one directory. */
final class ClientSteps {
  /** Below the client's directory; the first may have snapshots and is never deleted. */
  private static final List<String> DIRECTORIES = List.of("/s", "/s/x", "/a", "/a/x", "/b");

  private static final int MOST_FILES = 14;
  private static final int MOST_BLOCKS = 12;
  private static final int MOST_SNAPSHOTS = 2;
  private static final int NAMES = 100;
  private static final List<Integer> MODES = List.of(0600, 0640, 0644, 0664);

  private final String root;
  private final long block;
  private final SplittableRandom random;
  private int snapshots;

  private enum Kind {
    CREATE(14),
    APPEND(16),
    TRUNCATE(8),
    CONCAT(7),
    RENAME(6),
    DELETE(6),
    DELETE_DIRECTORY(2),
    OVERWRITE(5),
    SET_REPLICATION(4),
    SET_MODE(3),
    SNAPSHOT(2),
    DROP_SNAPSHOT(3),
    READ(12),
    POSITIONED_READ(9),
    CHECKSUM(3);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  private static final List<Kind> WEIGHTED =
      Arrays.stream(Kind.values())
          .flatMap(kind -> IntStream.range(0, kind.weight).mapToObj(i -> kind))
          .toList();

  /**
   * The steps of a client.
   *
   * @param root the client's directory
   * @param block bytes of a block
   */
  ClientSteps(String root, long block, SplittableRandom random) {
    this.root = root;
    this.block = block;
    this.random = random;
  }

  /** The commands of a client before its first step. */
  List<Command> setUp() {
    return List.of(
        new Command.MakeDirectory(root + "/b", "rs-3-2", ""),
        new Command.AllowSnapshots(root + DIRECTORIES.get(0)));
  }

  /** The next step, which is possible on the model; the model is not changed. */
  Command next(FileModel model) {
    if (model.files().isEmpty()) {
      return create(model);
    }
    Kind kind = one(WEIGHTED, random);
    if (kind == Kind.CREATE && model.files().size() >= MOST_FILES) {
      kind = Kind.DELETE;
    }
    return switch (kind) {
      case CREATE -> create(model);
      case APPEND -> append(model, file(model));
      case TRUNCATE -> truncate(model, file(model));
      case CONCAT -> concat(model);
      case RENAME -> new Command.Rename(file(model), freePath(model));
      case DELETE -> new Command.Delete(file(model));
      case DELETE_DIRECTORY ->
          new Command.Delete(root + DIRECTORIES.get(1 + random.nextInt(DIRECTORIES.size() - 1)));
      case OVERWRITE -> create(file(model));
      case SET_REPLICATION -> new Command.SetReplication(file(model), 3 + random.nextInt(2));
      case SET_MODE -> new Command.SetMode(file(model), MODES.get(random.nextInt(MODES.size())));
      case SNAPSHOT -> snapshot(model);
      case DROP_SNAPSHOT -> dropSnapshot(model);
      case READ -> read(model);
      case POSITIONED_READ -> positionedRead(model);
      case CHECKSUM -> new Command.Checksum(file(model), Command.Client.BRAID);
    };
  }

  private static <T> T one(List<T> list, SplittableRandom random) {
    return list.get(random.nextInt(list.size()));
  }

  private String file(FileModel model) {
    return one(List.copyOf(model.files().keySet()), random);
  }

  private String freePath(FileModel model) {
    while (true) {
      String path = root + one(DIRECTORIES, random) + "/f" + random.nextInt(NAMES);
      if (!model.files().containsKey(path)) {
        return path;
      }
    }
  }

  /** Empty, a part of a block, whole blocks, or blocks and a part. */
  private long length(int mostBlocks) {
    long blocks = random.nextInt(mostBlocks) * block;
    long part = 1 + random.nextLong(block - 1);
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1, 2 -> part;
      case 3, 4 -> blocks + block;
      default -> blocks + part;
    };
  }

  private Command create(FileModel model) {
    return create(freePath(model));
  }

  private Command create(String path) {
    int replication = random.nextInt(8) == 0 ? 4 : 3;
    GeneratedContent content = GeneratedContent.of(random.nextInt(1 << 30), length(MOST_BLOCKS));
    return new Command.Create(path, content, replication, block);
  }

  private Command append(FileModel model, String path) {
    GeneratedContent before = model.file(path).content();
    if (before.length() >= MOST_BLOCKS * block) {
      return truncate(model, path);
    }
    GeneratedContent more = GeneratedContent.of(random.nextInt(1 << 30), 1 + length(4));
    return new Command.Append(path, before, more);
  }

  private Command truncate(FileModel model, String path) {
    if (model.file(path).movedSince()) {
      return create(path);
    }
    long length = model.file(path).content().length();
    long kept =
        switch (random.nextInt(8)) {
          case 0 -> 0;
          case 1, 2, 3 -> random.nextLong(length / block + 1) * block;
          default -> random.nextLong(length + 1);
        };
    return new Command.Truncate(path, kept);
  }

  /** Joins up to three files of a directory that HDFS lets join. */
  private Command concat(FileModel model) {
    String target = file(model);
    String directory = target.substring(0, target.lastIndexOf('/'));
    List<String> sources = new ArrayList<>();
    long length = model.file(target).content().length();
    for (String path : model.below(directory)) {
      FileModel.Entry entry = model.file(path);
      long bytes = entry.content().length();
      boolean sibling = path.lastIndexOf('/') == directory.length() && !path.equals(target);
      if (sibling
          && bytes > 0
          && !entry.inSnapshot()
          && sources.size() < 2
          && length + bytes <= 2 * MOST_BLOCKS * block) {
        sources.add(path);
        length += bytes;
      }
    }
    if (sources.isEmpty() || model.file(target).content().length() == 0) {
      return create(directory + "/g" + random.nextInt(NAMES));
    }
    return new Command.Concat(target, sources, length);
  }

  private Command snapshot(FileModel model) {
    String directory = root + DIRECTORIES.get(0);
    return model.snapshots().size() >= MOST_SNAPSHOTS || model.below(directory).isEmpty()
        ? dropSnapshot(model)
        : new Command.Snapshot(directory, "n" + snapshots++);
  }

  private Command dropSnapshot(FileModel model) {
    if (model.snapshots().isEmpty()) {
      return read(model);
    }
    String path = one(List.copyOf(model.snapshots()), random);
    return new Command.DropSnapshot(
        root + DIRECTORIES.get(0), path.substring(path.lastIndexOf('/') + 1));
  }

  private Command.Compare read(FileModel model) {
    Map.Entry<String, GeneratedContent> file =
        one(List.copyOf(model.contents().entrySet()), random);
    return whole(file.getKey(), Command.Client.BRAID, file.getValue());
  }

  /** Reads a whole file. */
  static Command.Compare whole(String path, Command.Client client, GeneratedContent content) {
    return new Command.Compare(path, client, content, 0, content.length(), false);
  }

  private Command.Compare positionedRead(FileModel model) {
    Command.Compare whole = read(model);
    long bytes = whole.content().length();
    long from = random.nextLong(bytes + 1);
    long count = random.nextLong(Math.min(bytes - from, 2 * block) + 1);
    return new Command.Compare(whole.path(), whole.client(), whole.content(), from, count, true);
  }
}
