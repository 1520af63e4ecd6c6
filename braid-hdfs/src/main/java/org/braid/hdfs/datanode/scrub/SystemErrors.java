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
 * What a failure to open or read a replica's file is about: the file's disk, or this process. Java
 * tells the operating system's errors as texts alone, in the language of the process: they are
 * compared with what the system says of the same errors.
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
   * @param texts what it says of an error, by number; empty when that is not known
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

  /** What a file that was not opened says: this where its disk failed, and not this process. */
  public IOException ofOpening(FileSystemException failure) {
    return saysOneOf(disk, failure.getReason()) ? new UnreadableException(failure) : failure;
  }

  /** Whether this process, or all of its machine, may open no more files. */
  public boolean isOfOpenFiles(Throwable failure) {
    return saysOneOf(files, failure.getMessage());
  }

  /**
   * Whether a replica may be as it should be, though it was not read: the DataNode stops, or a
   * volume is taken out of it, or it may open no more files.
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
