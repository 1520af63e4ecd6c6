package org.braid.hdfs.testkit.lab;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * Compares the content of files with the expected content, by clients that stay open. Thread-safe.
 */
final class ContentChecks implements Closeable {
  private final ClusterClients clients;
  private final Map<Command.Client, DistributedFileSystem> readers =
      new EnumMap<>(Command.Client.class);

  ContentChecks(ClusterClients clients) {
    this.clients = clients;
  }

  private synchronized DistributedFileSystem reader(Command.Client client) throws IOException {
    DistributedFileSystem known = readers.get(client);
    if (known == null) {
      String mode = ChecksumCombineMode.COMPOSITE_CRC.name();
      known =
          clients.reader(client, Map.of(HdfsClientConfigKeys.DFS_CHECKSUM_COMBINE_MODE_KEY, mode));
      readers.put(client, known);
    }
    return known;
  }

  Answer.Compared compare(Command.Compare command) throws IOException {
    DistributedFileSystem fs = reader(command.client());
    Path path = new Path(command.path());
    GeneratedContent wanted = command.content().part(command.offset(), command.length());
    long begun = System.nanoTime();
    long equal;
    long bytes;
    try (FSDataInputStream in = fs.open(path)) {
      if (command.positioned()) {
        long[] at = {command.offset()};
        equal =
            ContentComparison.equalBytes(
                wanted,
                (into, count) -> {
                  in.readFully(at[0], into, 0, count);
                  at[0] += count;
                  return count;
                });
      } else {
        in.seek(command.offset());
        equal =
            ContentComparison.equalBytes(wanted, (into, count) -> in.readNBytes(into, 0, count));
      }
      bytes = fs.getFileStatus(path).getLen();
    }
    return new Answer.Compared(FileCommands.since(begun), bytes, equal);
  }

  Answer.Checked checksum(Command.Checksum command) throws IOException {
    FileChecksum checksum = reader(command.client()).getFileChecksum(new Path(command.path()));
    if (!(checksum instanceof CompositeCrcFileChecksum composite)) {
      throw new IOException(command.path() + " has no composite checksum: " + checksum);
    }
    long crc = 0;
    for (byte part : composite.getBytes()) {
      crc = crc << 8 | (part & 0xff);
    }
    return new Answer.Checked(crc);
  }

  @Override
  public synchronized void close() throws IOException {
    for (DistributedFileSystem reader : readers.values()) {
      reader.close();
    }
    readers.clear();
  }
}
