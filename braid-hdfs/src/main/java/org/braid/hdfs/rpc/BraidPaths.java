package org.braid.hdfs.rpc;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.permission.FsPermission;

/** The paths of Braid's files in HDFS, and the names of its extended attributes. */
public final class BraidPaths {
  /** Braid's own directory, open to the superuser only. */
  public static final String ROOT = "/.braid";

  /** Rights of all directories of Braid: everything to their owner, nothing to others. */
  public static final FsPermission RIGHTS = FsPermission.createImmutable((short) 0700);

  /** Parity blocks that are being written, one file a block. */
  public static final String STAGING = ROOT + "/staging";

  /** Published parity files, one a stripe, below 256 directories. */
  public static final String STRIPES = ROOT + "/stripes";

  /** The policies, one file a change. */
  public static final String POLICIES = ROOT + "/policies";

  /** Digits of a stripe's id that name the directory of its parity file. */
  public static final int PREFIX = 2;

  /** Extended attribute of a parity file whose value is its {@code Stripe}. */
  public static final String STRIPE_XATTR = "trusted.braid.stripe";

  /**
   * Extended attribute of {@link #ROOT}: the highest version in which stripes may be described,
   * while older releases may have to read them; the first version if it is absent.
   */
  public static final String FORMAT_XATTR = "trusted.braid.format";

  /** Extended attribute of {@link #ROOT}: the throttle that was set at run time. */
  public static final String THROTTLE_XATTR = "trusted.braid.throttle";

  /**
   * Extended attribute of {@link #ROOT}: the progress of the scrub of all stripes, a {@code
   * ScrubRecord}.
   */
  public static final String SCRUB_XATTR = "trusted.braid.scrub";

  /**
   * Extended attribute of {@link #ROOT}: the times from which and until which audit logs show
   * reads, a {@code KnownReads}.
   */
  public static final String READS_XATTR = "trusted.braid.reads";

  /**
   * Extended attribute of a file: time of the last read in audit logs, in milliseconds since 1970,
   * 8 bytes, big-endian.
   */
  public static final String READ_XATTR = "trusted.braid.read";

  /**
   * Extended attribute of a directory below which files are written by encoding-aware replication:
   * {@code CODE} or {@code CODE,c=N}. The nearest ancestor that has it counts.
   */
  public static final String EAR_XATTR = "user.braid.ear";

  private static final int ID_LENGTH = 32;

  private static final String INODES = "/.reserved/.inodes/";

  private BraidPaths() {}

  /** The path of the inode with a number, wherever the inode is. */
  public static String inode(long number) {
    return INODES + number;
  }

  /** The inode number in a path of this form; empty for other paths. */
  public static OptionalLong inodeAt(String path) {
    return path.startsWith(INODES) && path.substring(INODES.length()).matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(path.substring(INODES.length())))
        : OptionalLong.empty();
  }

  /** The path of a stripe's parity file after publication. */
  public static String stripePath(String id) {
    return STRIPES + "/" + checkedId(id).substring(0, PREFIX) + "/" + id;
  }

  /** The stripe with this path of its parity file after publication; empty for other paths. */
  public static Optional<String> stripeAt(String path) {
    String id = path.substring(path.lastIndexOf('/') + 1);
    return isId(id) && path.equals(stripePath(id)) ? Optional.of(id) : Optional.empty();
  }

  /** The directory in which the parity blocks of one stripe are written. */
  public static String stagingDirectory(String id) {
    return STAGING + "/" + checkedId(id);
  }

  /**
   * Where parity block j of a stripe is written: the path itself tells the placement policy the
   * DataNode.
   */
  public static String stagingPath(String id, int j, String uuid) {
    return stagingDirectory(id) + "/" + j + "-" + uuid;
  }

  /** The DataNode that a path below {@link #STAGING} names; empty for other paths. */
  public static Optional<String> stagedOn(String path) {
    if (!path.startsWith(STAGING + "/")) {
      return Optional.empty();
    }
    int slash = path.lastIndexOf('/');
    int dash = path.indexOf('-', slash);
    if (slash <= STAGING.length() || dash <= slash + 1 || dash + 1 >= path.length()) {
      return Optional.empty();
    }
    for (int i = slash + 1; i < dash; i++) {
      if (!Character.isDigit(path.charAt(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(path.substring(dash + 1));
  }

  /**
   * Whether a file is at a path or below it. A file that was renamed and exists only in snapshots
   * has no path; it counts as below the root only.
   */
  public static boolean isBelow(String file, String path) {
    return file.equals(path)
        || path.equals("/")
        || file.startsWith(path.endsWith("/") ? path : path + "/");
  }

  /** Whether a text is 32 lower-case hexadecimal digits; asked for each stripe that is read. */
  public static boolean isId(String text) {
    boolean digits = text.length() == ID_LENGTH;
    for (int i = 0; digits && i < ID_LENGTH; i++) {
      char digit = text.charAt(i);
      digits = (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    }
    return digits;
  }

  /**
   * A stripe's identity.
   *
   * @throws IllegalArgumentException when it cannot be one
   */
  public static String checkedId(String id) {
    if (!isId(id)) {
      throw new IllegalArgumentException(
          "stripe id \"" + id + "\" is not 32 lower-case hexadecimal digits");
    }
    return id;
  }
}
