package org.braid.hdfs.namenode.files;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.braid.code.Codes;
import org.braid.code.StripeSize;
import org.braid.hdfs.setting.EarSetting;

/**
 * The codes that owners of directories may use, as the administrator lists them. Choosing nodes
 * must be fast for every code that a user names. So a listed family enables only its small codes,
 * other codes are enabled by name, and all codes have a maximum size.
 *
 * @param listed names of codes and families
 */
public record EnabledCodes(Set<String> listed) {
  /** Property of the NameNode: codes and families of codes, separated by commas. */
  public static final String KEY = "braid.codes.enabled";

  /**
   * All families except those that place each block in its own rack: choosing nodes for their
   * blocks takes seconds on clusters of hundreds of racks.
   */
  static final String DEFAULT = "rs,rep,xor,lrc,xorbas,mxor,flr,rotated-rs,hitchhiker-xor,clay";

  /** Most blocks of a stripe of a code that only its family enables. */
  static final int FAMILY_BLOCKS = 32;

  /** Most sub-blocks of a stripe of a code that only its family enables. */
  static final int FAMILY_SUB_BLOCKS = 256;

  /** Most blocks of a stripe. */
  static final int MOST_BLOCKS = 255;

  /** Maximum number of sub-blocks of a stripe, as in conversion: each sub-block is a stream. */
  static final int MOST_SUB_BLOCKS = 1024;

  private static final int MOST_CHARACTERS = 64;

  public EnabledCodes {
    listed = Set.copyOf(listed);
  }

  /**
   * Reads the enabled codes from a NameNode's configuration. The code of the default setting of all
   * directories is enabled, too.
   *
   * @throws IllegalArgumentException when an entry is neither a code nor a family
   */
  public static EnabledCodes of(Configuration conf) {
    Set<String> listed = new TreeSet<>(conf.getTrimmedStringCollection(KEY));
    if (conf.get(KEY) == null) {
      listed.addAll(List.of(DEFAULT.split(",")));
    }
    for (String entry : listed) {
      try {
        Codes.checkListed(entry);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(KEY + ": " + e.getMessage(), e);
      }
    }
    String standard = conf.getTrimmed(EarSetting.DEFAULT_KEY, "");
    if (!standard.isEmpty()) {
      listed.add(EarSetting.code(standard));
    }
    return new EnabledCodes(listed);
  }

  /**
   * Refuses a code that is not enabled. Always fast, even for large codes.
   *
   * @throws IllegalArgumentException with the sizes of the code and the limits
   */
  public void check(String code) {
    if (code.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "a code's name has at most %d characters, not %d"
              .formatted(MOST_CHARACTERS, code.length()));
    }
    StripeSize size = Codes.sizeOf(code);
    if (size.blocks() > MOST_BLOCKS || size.subBlocks() > MOST_SUB_BLOCKS) {
      throw new IllegalArgumentException(
          "%s has %d blocks and %d sub-blocks a stripe, at most %d and %d are placed"
              .formatted(code, size.blocks(), size.subBlocks(), MOST_BLOCKS, MOST_SUB_BLOCKS));
    }
    if (listed.contains(code)) {
      return;
    }
    String family = Codes.familyOf(code).prefix();
    if (!listed.contains(family)) {
      throw new IllegalArgumentException(
          "%s is not enabled: an administrator names it, or its family %s, in %s of the NameNode"
              .formatted(code, family, KEY));
    }
    if (size.searched()) {
      throw new IllegalArgumentException(
          ("the coefficients of %s have to be searched for, which takes the NameNode long: an"
                  + " administrator names such codes themselves in %s")
              .formatted(code, KEY));
    }
    if (size.blocks() > FAMILY_BLOCKS || size.subBlocks() > FAMILY_SUB_BLOCKS) {
      throw new IllegalArgumentException(
          ("%s has %d blocks and %d sub-blocks a stripe, the family %s is enabled up to %d and %d:"
                  + " an administrator names larger codes themselves in %s of the NameNode")
              .formatted(
                  code,
                  size.blocks(),
                  size.subBlocks(),
                  family,
                  FAMILY_BLOCKS,
                  FAMILY_SUB_BLOCKS,
                  KEY));
    }
  }
}
