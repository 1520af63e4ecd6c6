package org.braid.hdfs.client.readahead;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;

/**
 * A program's hints on how it will read a file.
 *
 * @param mode sequential, random or unknown
 * @param end end of its part of the file, such as the split of a task; it reads at most a little
 *     further
 */
public record ReadHints(Mode mode, long end) {
  /** No hints. */
  public static final ReadHints NONE = new ReadHints(Mode.UNKNOWN, Long.MAX_VALUE);

  /** Access patterns. */
  public enum Mode {
    /** Unknown. */
    UNKNOWN,
    /** Sequential access. */
    SEQUENTIAL,
    /** Random access. */
    RANDOM
  }

  /** The hints in the options of {@code FileSystem.openFile}. */
  public static ReadHints of(Configuration options) {
    return new ReadHints(
        mode(options.getTrimmedStrings(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY)),
        end(options));
  }

  /** What is no number is no hint: HDFS opens the file all the same. */
  private static long end(Configuration options) {
    try {
      long end = options.getLong(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, Long.MAX_VALUE);
      return end < 0 ? Long.MAX_VALUE : end;
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Of several policies the first one that is known counts. */
  private static Mode mode(String[] policies) {
    for (String policy : policies) {
      switch (policy.toLowerCase(Locale.ROOT)) {
        case OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_SEQUENTIAL,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_AVRO,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_CSV,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_JSON -> {
          return Mode.SEQUENTIAL;
        }
        case OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_RANDOM,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_VECTOR,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_COLUMNAR,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_ORC,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_PARQUET,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_HBASE -> {
          return Mode.RANDOM;
        }
        case OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_DEFAULT,
            OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_ADAPTIVE -> {
          return Mode.UNKNOWN;
        }
        default -> {
          // Another file system's.
        }
      }
    }
    return Mode.UNKNOWN;
  }
}
