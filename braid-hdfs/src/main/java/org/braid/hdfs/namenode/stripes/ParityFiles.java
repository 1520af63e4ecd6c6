package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ShortHold;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeAttribute;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The published parity files in the namespace: one file for each stripe, below 256 directories. */
final class ParityFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ParityFiles.class);

  /** Milliseconds in which two changes of a directory may have the same time. */
  private static final long CLOCK_MILLIS = 10;

  private final NameNodeHost host;

  /** The files whose attributes describe no stripe, by inode: each is complained of once. */
  private final Map<Long, Rejected> rejected = new ConcurrentHashMap<>();

  private final AtomicLong rejections = new AtomicLong();

  /**
   * A parity file and its attributes at one moment. HDFS replaces the attributes when one is set,
   * and never modifies them.
   */
  record Parity(INodeFile file, @Nullable XAttrFeature attributes) {
    static Parity of(INodeFile file) {
      return new Parity(file, file.getXAttrFeature());
    }
  }

  /** A file whose attributes describe no stripe, and why not. */
  private record Rejected(Parity parity, String problem) {
    /** Whether the file is still there with these attributes and holds parity of unknown blocks. */
    boolean hidesStripe() {
      INodeFile file = parity.file();
      INodeDirectory parent = file.getParent();
      return file.numBlocks() > 0
          && parent != null
          && parent.getLocalName().length() == BraidPaths.PREFIX
          && isParity(file, parent.getLocalNameBytes());
    }
  }

  /**
   * A version of a directory, which changes when files are added or removed.
   *
   * @param settled whether any later change certainly has another time
   */
  record Stamp(long inode, long modified, int files, boolean settled) {}

  ParityFiles(NameNodeHost host) {
    this.host = host;
  }

  /** The file at a path; the namesystem's lock is held. */
  Optional<Parity> at(String path) throws IOException {
    INode inode = directory().unprotectedResolvePath(path).getLastINode();
    return inode == null || !inode.isFile()
        ? Optional.empty()
        : Optional.of(Parity.of(inode.asFile()));
  }

  /** The directories that there are, by name; the namesystem's lock is held. */
  List<INodeDirectory> directories() throws IOException {
    List<INodeDirectory> found = new ArrayList<>();
    INode stripes = directory().unprotectedResolvePath(BraidPaths.STRIPES).getLastINode();
    if (stripes != null && stripes.isDirectory()) {
      for (INode child : children(stripes.asDirectory())) {
        if (child.isDirectory() && child.getLocalName().length() == BraidPaths.PREFIX) {
          found.add(child.asDirectory());
        }
      }
    }
    return found;
  }

  /** The present state of a directory; the namesystem's lock is held. */
  static Stamp stamp(INodeDirectory directory) {
    long modified = directory.getModificationTime();
    return new Stamp(
        directory.getId(),
        modified,
        children(directory).size(),
        Math.abs(Time.now() - modified) > CLOCK_MILLIS && modified < Time.now());
  }

  /**
   * The next files of a directory behind a name, or all that are left if they are fewer than the
   * limit; the namesystem's lock is held.
   */
  static List<INodeFile> files(INodeDirectory directory, String after, int limit) {
    List<INodeFile> files = new ArrayList<>();
    ReadOnlyList<INode> children = children(directory);
    int at = after.isEmpty() ? 0 : behind(children, after);
    for (; at < children.size() && files.size() < limit; at++) {
      if (isParity(children.get(at), directory.getLocalNameBytes())) {
        files.add(children.get(at).asFile());
      }
    }
    return files;
  }

  /** The next files behind a stripe's id, up to a limit; the namesystem's lock is held. */
  List<Parity> after(String id, int limit) throws IOException {
    List<Parity> found = new ArrayList<>();
    for (INodeDirectory directory : directories()) {
      String name = directory.getLocalName();
      if (name.compareTo(id.substring(0, Math.min(BraidPaths.PREFIX, id.length()))) < 0) {
        continue;
      }
      if (found.size() == limit) {
        break;
      }
      files(directory, id.startsWith(name) ? id : "", limit - found.size())
          .forEach(file -> found.add(Parity.of(file)));
    }
    return found;
  }

  /** Whether a child stands in the directory of its name. */
  private static boolean isParity(INode child, byte[] directory) {
    byte[] name = child.getLocalNameBytes();
    return child.isFile()
        && name.length > directory.length
        && Arrays.equals(name, 0, directory.length, directory, 0, directory.length);
  }

  private static int behind(ReadOnlyList<INode> children, String name) {
    int at = ReadOnlyList.Util.binarySearch(children, name.getBytes(StandardCharsets.UTF_8));
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** The stripe that a file's attributes describe; empty when they describe none. */
  Optional<Entry> entry(Parity parity) {
    long inode = parity.file().getId();
    String name = parity.file().getLocalName();
    XAttrFeature attributes = parity.attributes();
    Rejected before = rejected.get(inode);
    if (before != null && parity.equals(before.parity)) {
      return Optional.empty();
    }
    String problem;
    XAttr attribute = attributes == null ? null : attributes.getXAttr(BraidPaths.STRIPE_XATTR);
    if (!BraidPaths.isId(name)) {
      problem = "its name is not 32 lower-case hexadecimal digits";
    } else if (attribute == null || attribute.getValue() == null) {
      problem = "it has no attribute " + BraidPaths.STRIPE_XATTR;
    } else {
      try {
        Stripe stripe = StripeAttribute.of(name, attribute.getValue());
        if (before != null && parity.equals(Parity.of(parity.file()))) {
          rejected.remove(inode);
        }
        return Optional.of(new Entry(stripe, BraidPaths.stripePath(name), inode));
      } catch (InvalidProtocolBufferException e) {
        problem =
            "its attribute %s (%d bytes) cannot be read: %s"
                .formatted(BraidPaths.STRIPE_XATTR, attribute.getValue().length, e.getMessage());
      }
    }
    rejected.put(inode, new Rejected(parity, problem));
    rejections.incrementAndGet();
    LOG.warn("{} below {} is not a stripe: {}", name, BraidPaths.STRIPES, problem);
    return Optional.empty();
  }

  /**
   * The stripe that a file's attributes described when they were read, whatever happened to the
   * file since; without its id if the file was renamed.
   */
  static Optional<Stripe> described(@Nullable INodeFile file, @Nullable XAttrFeature attributes) {
    XAttr attribute = attributes == null ? null : attributes.getXAttr(BraidPaths.STRIPE_XATTR);
    if (file == null || attribute == null || attribute.getValue() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(StripeAttribute.of(file.getLocalName(), attribute.getValue()));
    } catch (InvalidProtocolBufferException named) {
      try {
        return Optional.of(StripeAttribute.ofRenamed(attribute.getValue()));
      } catch (InvalidProtocolBufferException e) {
        LOG.debug("was never read", e);
        return Optional.empty();
      }
    }
  }

  /**
   * The deleted files among {@code files}, including those that snapshots hold, which keep their
   * parent. Checks them in short holds of the lock.
   */
  List<INodeFile> gone(List<INodeFile> files) throws IOException {
    List<INodeFile> gone = new ArrayList<>();
    Iterator<INodeFile> left = files.iterator();
    while (left.hasNext()) {
      boolean unused =
          host.readingFiles(
              "braidParity",
              () -> {
                new ShortHold(System::nanoTime)
                    .visit(
                        left,
                        file -> {
                          if (!isThere(file)) {
                            gone.add(file);
                          }
                        });
                return true;
              });
    }
    return gone;
  }

  private static boolean isThere(INodeFile file) {
    INodeDirectory parent = file.getParent();
    return parent != null && Namespace.isIn(parent, file);
  }

  /** A counter that grows with each file found without a readable description. */
  long rejections() {
    return rejections.get();
  }

  /**
   * Whether any file that satisfies the condition holds parity of a stripe without a readable
   * description.
   */
  boolean hideStripes(LongPredicate condition) {
    return !rejected.isEmpty()
        && rejected.entrySet().stream()
            .anyMatch(file -> condition.test(file.getKey()) && file.getValue().hidesStripe());
  }

  /** Whether a file holds parity of a stripe without a readable description. */
  boolean hidesStripe(long inode) {
    Rejected file = rejected.get(inode);
    return file != null && file.hidesStripe();
  }

  /**
   * The parity files without a readable description, with the reasons; forgets deleted files. After
   * a downgrade these may be all stripes, so it takes several short holds of the lock.
   */
  StripeTotals.Hidden hidden() throws IOException {
    StripeTotals.Hidden found = new StripeTotals.Hidden();
    host.readingEachFile(
        "braidStripes",
        rejected.entrySet(),
        entry -> {
          Rejected file = entry.getValue();
          if (file.hidesStripe() && isThere(file.parity.file())) {
            found.add(file.parity.file()::getFullPathName, file.problem);
          } else {
            rejected.remove(entry.getKey(), file);
          }
        });
    return found;
  }

  /** Those of these files whose attributes have changed, which may describe a stripe now. */
  List<Parity> changed() throws IOException {
    List<Parity> changed = new ArrayList<>();
    host.readingEachFile(
        "braidStripes",
        rejected.values(),
        file -> {
          Parity present = Parity.of(file.parity.file());
          if (!present.equals(file.parity)) {
            changed.add(present);
          }
        });
    return changed;
  }

  /**
   * Number of files without a readable description below a path, except files that are known
   * otherwise.
   */
  int countHidden(String path, LongPredicate known) throws IOException {
    int[] count = new int[1];
    eachHidden(known, file -> count[0] += BraidPaths.isBelow(file.getFullPathName(), path) ? 1 : 0);
    return count[0];
  }

  /** Number of such files in each directory, by the directory's inode. */
  Map<Long, Integer> countHidden(LongPredicate known) throws IOException {
    Map<Long, Integer> counts = new HashMap<>();
    eachHidden(
        known,
        file -> {
          INodeDirectory parent = file.getParent();
          if (parent != null) {
            counts.merge(parent.getId(), 1, Integer::sum);
          }
        });
    return counts;
  }

  private void eachHidden(LongPredicate known, Consumer<INodeFile> visitor) throws IOException {
    host.readingEachFile(
        "braidStripes",
        rejected.entrySet(),
        entry -> {
          if (!known.test(entry.getKey()) && entry.getValue().hidesStripe()) {
            visitor.accept(entry.getValue().parity.file());
          }
        });
  }

  private static ReadOnlyList<INode> children(INodeDirectory directory) {
    return directory.getChildrenList(Snapshot.CURRENT_STATE_ID);
  }

  private FSDirectory directory() {
    return host.namesystem().getFSDirectory();
  }
}
