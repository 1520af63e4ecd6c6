package org.braid.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that appears under its name only when it is complete and on disk. Until then it has a
 * hidden name beside it; closing it before it is published leaves nothing behind.
 */
final class AtomicFile implements Closeable {
  private final Path target;
  private final Path temporary;
  private final FileChannel channel;
  private long bytes;

  private AtomicFile(Path target, Path temporary, FileChannel channel) {
    this.target = target;
    this.temporary = temporary;
    this.channel = channel;
  }

  /** Starts a file; its directory must exist. */
  static AtomicFile create(Path target) throws IOException {
    Path absolute = target.toAbsolutePath();
    Path temporary =
        absolute.resolveSibling(".braid-" + SetId.random().toString().substring(0, 16) + ".tmp");
    try {
      FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      // An interrupt of the process runs no finally.
      temporary.toFile().deleteOnExit();
      return new AtomicFile(target, temporary, channel);
    } catch (NoSuchFileException e) {
      throw new FileSystemException(
          target.toString(), null, "cannot be written, there is no such directory");
    } catch (IOException e) {
      throw failed(target, "cannot be written", e);
    }
  }

  static FileSystemException failed(Path path, String what, IOException cause) {
    String reason =
        cause instanceof FileSystemException e && e.getReason() != null
            ? e.getReason()
            : cause instanceof java.nio.file.AccessDeniedException
                ? "no permission"
                : String.valueOf(cause.getMessage());
    FileSystemException failure =
        new FileSystemException(path.toString(), null, what + ": " + reason);
    failure.initCause(cause);
    return failure;
  }

  Path target() {
    return target;
  }

  /** Bytes written. */
  long bytes() {
    return bytes;
  }

  /** Leaves room at the start for what is written last. */
  void skip(int count) throws IOException {
    channel.position(count);
  }

  /** Writes the rest of buffers at the file's end. */
  void append(ByteBuffer... buffers) throws IOException {
    try {
      while (buffers[buffers.length - 1].hasRemaining()) {
        bytes += channel.write(buffers);
      }
    } catch (IOException e) {
      throw failed(target, "cannot be written", e);
    }
  }

  /** Writes the rest of a buffer at the file's start. */
  void start(ByteBuffer buffer) throws IOException {
    try {
      long at = 0;
      while (buffer.hasRemaining()) {
        int count = channel.write(buffer, at);
        at += count;
        bytes += count;
      }
    } catch (IOException e) {
      throw failed(target, "cannot be written", e);
    }
  }

  /** Makes the content durable. */
  void sync() throws IOException {
    try {
      channel.force(true);
      channel.close();
    } catch (IOException e) {
      throw failed(target, "cannot be written", e);
    }
  }

  /**
   * Gives the synced file its name.
   *
   * @throws ShardRefusedException when there is a file already that is to be kept
   */
  void publish(Existing existing) throws IOException {
    if (existing == Existing.KEEP
        && Files.exists(target, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
      throw exists(target);
    }
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(target, "cannot be written", e);
    }
  }

  static ShardRefusedException exists(Path target) {
    return new ShardRefusedException(target + " exists; it is written over with --overwrite only");
  }

  /** Makes a directory's entries durable, where the file system can. */
  static void syncDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Some platforms cannot open a directory; the renames then last when they come to disk.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(temporary);
  }
}
