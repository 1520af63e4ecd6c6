package org.braid.shard.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.braid.shard.format.SetId;

/**
 * A file that gets its name only when it is complete and on disk. Until then it has a hidden name
 * in the same directory. Closing it before it is published deletes it.
 */
public final class AtomicFile implements Closeable {
  private static final String PREFIX = ".braid-";
  private static final String SUFFIX = ".tmp";
  private static final int DIGITS = 16;
  private static final Pattern TEMPORARY =
      Pattern.compile(Pattern.quote(PREFIX) + "[0-9a-f]{" + DIGITS + "}" + Pattern.quote(SUFFIX));

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
  public static AtomicFile create(Path target) throws IOException {
    Path temporary = temporary(target);
    try {
      FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Temporaries.ofProcess().add(temporary);
      return new AtomicFile(target, temporary, channel);
    } catch (NoSuchFileException e) {
      throw new FileSystemException(
          target.toString(), null, "cannot be written, there is no such directory");
    } catch (IOException e) {
      throw FileErrors.failed(target, "cannot be written", e);
    }
  }

  /** A new hidden name in the directory of a file. */
  static Path temporary(Path target) {
    return target
        .toAbsolutePath()
        .resolveSibling(PREFIX + SetId.random().toString().substring(0, DIGITS) + SUFFIX);
  }

  /** Whether a file has the name of a temporary file, of this process or another one. */
  public static boolean isTemporary(Path file) {
    return TEMPORARY.matcher(String.valueOf(file.getFileName())).matches();
  }

  /**
   * Deletes a temporary file. If it is a link to another one, as a publication makes them, that one
   * goes first.
   */
  public static void delete(Path temporary) throws IOException {
    if (Files.isSymbolicLink(temporary)) {
      Path file = temporary.resolveSibling(Files.readSymbolicLink(temporary));
      if (isTemporary(file) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(temporary);
  }

  public Path target() {
    return target;
  }

  /** Bytes written. */
  public long bytes() {
    return bytes;
  }

  /** Leaves the first bytes free; {@link #start} fills them. */
  public void skip(int count) throws IOException {
    channel.position(count);
  }

  /** Appends the remaining bytes of buffers. */
  public void append(ByteBuffer... buffers) throws IOException {
    try {
      while (buffers[buffers.length - 1].hasRemaining()) {
        bytes += channel.write(buffers);
      }
    } catch (IOException e) {
      throw FileErrors.failed(target, "cannot be written", e);
    }
  }

  /** Writes the remaining bytes of a buffer at the start of the file. */
  public void start(ByteBuffer buffer) throws IOException {
    try {
      long at = 0;
      while (buffer.hasRemaining()) {
        int count = channel.write(buffer, at);
        at += count;
        bytes += count;
      }
    } catch (IOException e) {
      throw FileErrors.failed(target, "cannot be written", e);
    }
  }

  /** Makes the content durable. */
  public void sync() throws IOException {
    try {
      channel.force(true);
      channel.close();
    } catch (IOException e) {
      throw FileErrors.failed(target, "cannot be written", e);
    }
  }

  /**
   * Gives the synced file its name.
   *
   * @throws org.braid.shard.report.ShardRefusedException when a file of that name exists and is not
   *     to be replaced
   */
  public void publish(OverwritePolicy overwrite) throws IOException {
    if (overwrite == OverwritePolicy.REFUSE && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw FileErrors.exists(target);
    }
    try {
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      Temporaries.ofProcess().remove(temporary);
    } catch (IOException e) {
      throw FileErrors.failed(target, "cannot be written", e);
    }
  }

  /** Makes the entries of a directory durable where the file system supports it. */
  public static void syncDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Some platforms cannot open a directory; there the renames become durable later.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(temporary);
    Temporaries.ofProcess().remove(temporary);
  }
}
