package org.braid.hdfs.coordinator;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;

/**
 * How the lost and the misplaced blocks of one stripe are to come back.
 *
 * @param status the stripe as it was found
 * @param state the cluster whose nodes are meant by indices
 * @param members which blocks are there, lost or misplaced, without those beyond repair
 * @param rootOf by position that gets a new place, the node
 * @param equations of the lost blocks as they were scheduled; none when they are still to be chosen
 * @param beyond positions of lost blocks that those left do not determine
 * @param reason why, empty when there are none
 */
record RepairAttempt(
    StripeStatusProto status,
    ClusterState state,
    Members members,
    ErasureCode code,
    Map<Integer, Integer> rootOf,
    List<Equation> equations,
    List<Integer> beyond,
    String reason) {
  /** The node that a lost block is rebuilt at. */
  int root(int position) {
    return Objects.requireNonNull(rootOf.get(position), "no node is chosen for a lost block");
  }
}
