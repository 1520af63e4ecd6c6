package org.braid.hdfs.datanode.scrub;

import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.braid.hdfs.failure.Causes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells failures of a replica's disk from failures of this process when a file cannot be opened or
 * read. Java reports the operating system's errors only as texts in the language of the process, so
 * this class compares them with the system's own texts for the error numbers.
 */
public final class SystemErrors {
  private static final Logger LOG = LoggerFactory.getLogger(SystemErrors.class);

  /** EIO and EUCLEAN of Linux. */
  private static final int[] DISK = {5, 117};

  /** ENFILE and EMFILE. */
  private static final int[] FILES = {23, 24};

  /** The errors of this machine, in the language of this process. */
  public static final SystemErrors HERE = new SystemErrors(SystemErrors::systemText);

  private final Set<String> disk;
  private final Set<String> files;

  /**
   * The errors of a system.
   *
   * @param texts the text of an error number; empty when it is unknown
   */
  SystemErrors(IntFunction<String> texts) {
    disk = texts(texts, DISK, "Input/output error", "Structure needs cleaning");
    files = texts(texts, FILES, "Too many open files in system", "Too many open files");
  }

  private static Set<String> texts(IntFunction<String> texts, int[] errors, String... english) {
    Set<String> all = new TreeSet<>(Arrays.asList(english));
    for (int error : errors) {
      String text = texts.apply(error);
      if (!text.isEmpty()) {
        all.add(text);
      }
    }
    return Set.copyOf(all);
  }

  private static String systemText(int error) {
    try {
      String text =
          NativeLibrary.getProcess()
              .getFunction("strerror")
              .invokeString(new Object[] {error}, false);
      return text == null ? "" : text;
    } catch (RuntimeException | LinkageError e) {
      LOG.info("texts of errors are known in English alone: {}", e.toString());
      return "";
    }
  }

  /**
   * The exception for a file that could not be opened: an {@link UnreadableException} if its disk
   * failed, rather than this process.
   */
  public IOException ofOpening(FileSystemException failure) {
    return saysOneOf(disk, failure.getReason()) ? new UnreadableException(failure) : failure;
  }

  /** Whether this process, or the machine, has reached its limit of open files. */
  public boolean isOfOpenFiles(Throwable failure) {
    return saysOneOf(files, failure.getMessage());
  }

  /**
   * Whether a failure to read says nothing about the replica: the DataNode is stopping, its volume
   * is being removed, or the limit of open files is reached.
   */
  public boolean isOfTheNode(IOException failure) {
    for (Throwable cause : Causes.of(failure)) {
      if (cause instanceof UnreadableException) {
        return false;
      }
      if (cause instanceof ClosedChannelException
          || cause instanceof InterruptedIOException
          || (cause instanceof FileSystemException && !(cause instanceof NoSuchFileException))
          || isOfOpenFiles(cause)) {
        return true;
      }
    }
    return false;
  }

  private static boolean saysOneOf(Set<String> texts, @Nullable String message) {
    return message != null && texts.stream().anyMatch(message::contains);
  }
}
