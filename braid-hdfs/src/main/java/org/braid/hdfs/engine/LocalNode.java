package org.braid.hdfs.engine;

import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.braid.code.SubBlock;
import org.braid.engine.FragmentRunner;
import org.braid.engine.SliceSink;
import org.braid.engine.SliceSource;
import org.braid.hdfs.dispatch.Worker;

/**
 * The node of a plan that stands for this process. It has no replicas and sends to no node: the
 * plan ends here.
 *
 * @param node its number in the plan
 * @param location its network location; empty when it is not known
 * @param runner what runs its fragment
 * @param streams opens the streams that workers send to it
 * @param tokens a block token for the stream of a node
 * @param sinks takes each sub-block that the plan stores here
 * @param sent hears of the bytes that a worker sent to another node, as soon as the worker reports
 *     them
 */
public record LocalNode(
    int node,
    String location,
    FragmentRunner runner,
    Streams streams,
    Tokens tokens,
    Function<SubBlock, SliceSink> sinks,
    SentBytes sent) {
  /** Opens the receiving ends of the streams that workers send to this process. */
  @FunctionalInterface
  public interface Streams {
    /**
     * Opens the stream of a worker.
     *
     * @param run the run's secret name
     * @param stream its number in the plan
     * @param length its bytes
     * @param token a block token of the cluster
     */
    SliceSource open(
        Worker worker, String run, int stream, long length, Token<BlockTokenIdentifier> token)
        throws IOException;
  }

  /** Block tokens, which DataNodes require for connections if tokens are enabled. */
  @FunctionalInterface
  public interface Tokens {
    Token<BlockTokenIdentifier> of(int node) throws IOException;
  }

  /** Hears of bytes between nodes of a plan. */
  @FunctionalInterface
  public interface SentBytes {
    void sent(int from, int to, long bytes);
  }
}
