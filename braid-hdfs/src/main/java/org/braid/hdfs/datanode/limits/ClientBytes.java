package org.braid.hdfs.datanode.limits;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes that HDFS clients read and write at this DataNode, from the DataNode's metrics. These omit
 * reads of Braid's fragments and short-circuit reads, and include copies that HDFS makes.
 */
public final class ClientBytes {
  private static final Logger LOG = LoggerFactory.getLogger(ClientBytes.class);

  /** The non-public fields in which HDFS counts read and written bytes. */
  static final List<String> COUNTERS = List.of("bytesRead", "bytesWritten");

  private final @Nullable MutableCounterLong read;
  private final @Nullable MutableCounterLong written;

  private ClientBytes(@Nullable MutableCounterLong read, @Nullable MutableCounterLong written) {
    this.read = read;
    this.written = written;
  }

  /** The bytes of a DataNode; unknown for a Hadoop with other fields. */
  public static ClientBytes of(DataNodeMetrics metrics) {
    try {
      return new ClientBytes(counter(metrics, COUNTERS.get(0)), counter(metrics, COUNTERS.get(1)));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("the NameNode's page cannot tell what clients read and write here: {}", e + "");
      return new ClientBytes(null, null);
    }
  }

  private static MutableCounterLong counter(DataNodeMetrics metrics, String name)
      throws ReflectiveOperationException {
    Field field = DataNodeMetrics.class.getDeclaredField(name);
    field.setAccessible(true);
    return (MutableCounterLong) field.get(metrics);
  }

  /** Adds the known bytes to a message. */
  public TrafficProto.Builder addTo(TrafficProto.Builder told) {
    if (read != null) {
      told.setClientRead(read.value());
    }
    if (written != null) {
      told.setClientWritten(written.value());
    }
    return told;
  }
}
