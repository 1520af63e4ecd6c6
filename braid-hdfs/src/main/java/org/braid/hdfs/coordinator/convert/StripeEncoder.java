package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.SnapshotException;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.code.ErasureCode;
import org.braid.engine.block.CellLayout;
import org.braid.engine.block.Crc32cZeros;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.coordinator.convert.Grouper.DataBlock;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.dispatch.Ids;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.placement.rule.StripeRule;
import org.braid.plan.Plan;
import org.braid.plan.throttle.LinkBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a group of blocks into a published stripe: encodes, writes parity to its nodes, reads all
 * blocks back, and only then publishes. Deletes no replica.
 */
public final class StripeEncoder {
  private static final Logger LOG = LoggerFactory.getLogger(StripeEncoder.class);
  private static final int ATTEMPTS = 3;

  /** Pause before the second attempt; doubled before each further one. */
  private static final long PAUSE_MILLIS = 1000;

  private final Session session;
  private final StripeMap stripes;
  private final ErasureCode code;
  private final EncodeChoice encoding;
  private final StripeLayout.Layouter layouter;
  private final TrafficMeter traffic;
  private final BadReplicas bad = new BadReplicas();

  /**
   * Encodes for a request.
   *
   * @param stripes that hold blocks of the files already
   */
  public StripeEncoder(
      Session session,
      StripeRule rule,
      ConvertRequest request,
      StripeMap stripes,
      ReadLoads loads,
      TrafficMeter traffic) {
    this.session = session;
    this.stripes = stripes;
    this.code = rule.code();
    this.encoding =
        new EncodeChoice(
            code,
            request.method().encode(),
            request.parallel(),
            request.sliceBytes(),
            session.rates());
    this.layouter = new StripeLayout.Layouter(rule, request, loads, bad);
    this.traffic = traffic;
  }

  /**
   * A published stripe.
   *
   * @param crossRackDataBlocks data blocks that the encoding node read from another rack; none
   *     where each node encoded its own
   * @param pipelined whether parity was computed along a pipeline
   * @param kept the copies at homes that were forced to disk and read back
   * @param claim the claim of the stripe, without which a sweep could delete the parity: all blocks
   *     are replicated until they are trimmed
   */
  public record Written(
      Stripe stripe,
      int crossRackDataBlocks,
      boolean pipelined,
      Map<Integer, String> kept,
      Claims.Claim claim)
      implements AutoCloseable {
    @Override
    public void close() {
      claim.close();
    }
  }

  /**
   * Writes a stripe, which stays claimed until the result is closed. After a failure, pauses for
   * busy or restarting nodes and tries other nodes and replicas. Also tries again after an exceeded
   * quota: the quota counts what other stripes stage, and the full size of blocks that are being
   * written.
   *
   * @param turn the turn for laying the stripe: after all earlier stripes, whose loads count
   * @throws GaveWayException when the work is given up before another attempt
   */
  Written write(Group group, Turns.Turn turn, SplittableRandom random) throws IOException {
    IOException first = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) {
        session.pause(PAUSE_MILLIS << (attempt - 1));
      }
      StripeLayout layout;
      turn.await();
      try {
        ClusterState seen = session.cluster().forAttempt(attempt);
        layout = session.cluster().decided(seen, state -> layouter.lay(group, state, random));
      } finally {
        turn.pass();
      }
      try {
        return write(group, layout);
      } catch (PlanFailedException e) {
        LOG.warn("attempt {} at a stripe failed: {}", attempt + 1, e.getMessage());
        learn(group, layout, e);
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    throw new IOException(
        "its replicas stay, convert it again: %d attempts failed, the first: %s"
            .formatted(ATTEMPTS, message(first)),
        first);
  }

  private static String message(@org.jspecify.annotations.Nullable IOException e) {
    return e == null ? "no reason" : String.valueOf(e.getMessage());
  }

  /**
   * Lays and plans a stripe as it would be written now.
   *
   * @param links gets the bytes that writing it would move
   */
  PredictedStripe predict(Group group, SplittableRandom random, LinkBytes links)
      throws IOException {
    ClusterState state = session.cluster().recent();
    StripeLayout layout = layouter.lay(group, state, random);
    long length = cells(group).blockLength();
    Plan plan = encoding.plan(state.topology(), layout.nodes(), length);
    return PredictedStripe.of(code, group, layout.places(), plan, state, length, links);
  }

  private CellLayout cells(Group group) {
    return CellLayout.of(
        code.alpha(), CellLayout.cellFor(code.alpha(), session.slice()), group.length());
  }

  /** Learns from a failure which nodes are silent and which replicas are bad. */
  private void learn(Group group, StripeLayout layout, PlanFailedException failure)
      throws GaveWayException {
    ClusterState state = layout.state();
    layouter.avoid(failure.failed().stream().map(node -> state.node(node).uuid()).toList());
    for (int i = 0; i < group.blocks().size(); i++) {
      BlockIdentity block = group.blocks().get(i).status().block();
      int source = layout.sources()[i];
      if (failure.silent().contains(source)) {
        continue;
      }
      try {
        session.verified(state, source, block);
      } catch (GaveWayException e) {
        throw e;
      } catch (IOException e) {
        LOG.warn("replica of blk_{} at {}: {}", block.id(), state.name(source), e.getMessage());
        unread(block, state.node(source).uuid(), e);
      }
    }
  }

  /** Notes that a replica could not be read: it is bad, or its node is avoided from now on. */
  private void unread(BlockIdentity block, String uuid, IOException failure) {
    if (!bad.found(block.id(), uuid, failure)) {
      layouter.avoid(List.of(uuid));
    }
  }

  private Written write(Group group, StripeLayout layout) throws IOException {
    String id = Ids.random();
    Claims.Claim claim = session.claims().take(id);
    boolean done = false;
    try {
      Written written = stage(id, group, layout, claim);
      done = true;
      return written;
    } finally {
      if (!done) {
        undo(id, group, layout, claim);
      }
    }
  }

  private void undo(String id, Group group, StripeLayout layout, Claims.Claim claim) {
    try {
      layouter.forget(group, layout);
      discard(id);
    } finally {
      claim.close();
    }
  }

  private void discard(String id) {
    try {
      session.files().delete(new Path(BraidPaths.stagingDirectory(id)), true);
    } catch (IOException e) {
      LOG.warn("staged parity of stripe {} stays until the next run: {}", id, e.getMessage());
    }
  }

  private Written stage(String id, Group group, StripeLayout layout, Claims.Claim claim)
      throws IOException {
    ClusterState state = layout.state();
    CellLayout cells = cells(group);
    int[] parityNodes = layout.places().parityNodes();
    String[] staged = new String[code.m()];
    for (int j = 0; j < staged.length; j++) {
      staged[j] = BraidPaths.stagingPath(id, j, state.node(parityNodes[j]).uuid());
    }
    session.files().mkdirs(new Path(BraidPaths.stagingDirectory(id)), BraidPaths.RIGHTS);
    Map<Integer, BlockIdentity> blocks = new HashMap<>();
    for (int i = 0; i < group.blocks().size(); i++) {
      blocks.put(i, group.blocks().get(i).status().block());
    }
    Plan plan = encoding.plan(state.topology(), layout.nodes(), cells.blockLength());
    HdfsResult result =
        session.run(
            plan,
            state,
            blocks,
            cells,
            target -> StoreTarget.parity(staged[target.block() - code.k()], group.storage().name()),
            traffic);
    Faults.reach(FaultStep.CONVERT_ENCODED, id);
    List<Member> members = new ArrayList<>(dataMembers(group, layout, cells, result));
    members.addAll(parityMembers(layout, staged, cells.blockLength(), result));
    Faults.reach(FaultStep.CONVERT_VERIFIED, id);
    StripePromise promise = StripePromise.of(layout.rule(), state.topology());
    Stripe stripe = Stripe.encoded(id, code, members, promise, cells.cell());
    publish(stripe, staged);
    boolean pipelined = EncodeChoice.isPipelined(plan);
    Map<Integer, String> kept = new HashMap<>();
    for (int position : stripe.blocks().keySet()) {
      if (!layout.places().relocated().contains(position)) {
        kept.put(position, stripe.member(position).home());
      }
    }
    return new Written(stripe, pipelined ? 0 : layout.downloads(), pipelined, kept, claim);
  }

  /**
   * The data members, each with the checksum read at its home, or at its source if it must move.
   */
  private List<Member> dataMembers(
      Group group, StripeLayout layout, CellLayout cells, HdfsResult result) throws IOException {
    Member[] members = new Member[code.k()];
    Arrays.fill(members, Member.VIRTUAL);
    List<Parallel.Task> tasks = new ArrayList<>();
    for (int i = 0; i < group.blocks().size(); i++) {
      int position = i;
      tasks.add(() -> members[position] = dataMember(group, position, layout, cells, result));
    }
    Parallel.run(tasks.size(), tasks);
    return List.of(members);
  }

  private Member dataMember(
      Group group, int position, StripeLayout layout, CellLayout cells, HdfsResult result)
      throws IOException {
    ClusterState state = layout.state();
    DataBlock data = group.blocks().get(position);
    BlockIdentity block = data.status().block();
    int home = layout.places().dataNodes()[position];
    boolean moves = layout.places().relocated().contains(position);
    int at = moves ? layout.sources()[position] : home;
    Workers.Verified read = verify(state, at, block);
    int crc = read.crc();
    int padded = Crc32cZeros.append(crc, cells.blockLength() - block.length());
    Integer encoded = result.reads().get(position);
    if (encoded == null || encoded != padded) {
      bad.add(block.id(), state.node(at).uuid());
      throw new PlanFailedException(
          String.format(
              "blk_%d: the copy that stays at %s differs from the one encoded at %s"
                  + " (CRC-32C %08x and %08x)",
              block.id(),
              state.name(at),
              state.name(layout.sources()[position]),
              padded,
              encoded == null ? 0 : encoded),
          null);
    }
    return recorded(
        Member.data(block, crc, state.node(home).uuid(), stripes.originalReplication(data.file())),
        read);
  }

  private static Member recorded(Member member, Workers.Verified read) {
    return read.checksum() == null ? member : member.with(read.checksum());
  }

  private Workers.Verified verify(ClusterState state, int node, BlockIdentity block)
      throws IOException {
    try {
      return session.verified(state, node, block);
    } catch (PlanFailedException e) {
      if (!e.culprits().isEmpty()) {
        unread(block, state.node(node).uuid(), e);
      }
      throw new PlanFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The parity members, each with the checksum read back from disk. */
  private List<Member> parityMembers(
      StripeLayout layout, String[] staged, long length, HdfsResult result) throws IOException {
    Member[] members = new Member[staged.length];
    List<Parallel.Task> tasks = new ArrayList<>();
    for (int j = 0; j < staged.length; j++) {
      int parity = j;
      tasks.add(
          () -> members[parity] = parityMember(layout, parity, staged[parity], length, result));
    }
    Parallel.run(tasks.size(), tasks);
    return List.of(members);
  }

  private Member parityMember(
      StripeLayout layout, int parity, String staged, long length, HdfsResult result)
      throws IOException {
    ClusterState state = layout.state();
    int node = layout.places().parityNodes()[parity];
    List<LocatedBlock> located =
        session.files().getClient().getLocatedBlocks(staged, 0, length).getLocatedBlocks();
    if (located.size() != 1 || located.get(0).getBlockSize() != length) {
      throw new IOException(staged + " has not one block of " + length + " bytes but " + located);
    }
    var found = located.get(0).getBlock();
    BlockIdentity block = new BlockIdentity(found.getBlockId(), found.getGenerationStamp(), length);
    Integer written = result.stores().get(code.k() + parity);
    Workers.Verified read = session.verified(state, node, block);
    if (written == null || written != read.crc()) {
      throw PlanFailedException.at(
          node,
          String.format(
              "parity %d at %s reads back as CRC-32C %08x, written was %08x",
              parity, state.name(node), read.crc(), written == null ? 0 : written),
          null);
    }
    return recorded(Member.parity(block, read.crc(), state.node(node).uuid()), read);
  }

  private void join(Path first, Stream<Path> others) throws IOException {
    try {
      session.files().concat(first, others.toArray(Path[]::new));
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof SnapshotException) {
        throw new LeftByUsersException(
            "HELD",
            "its parity is held by a snapshot that was taken meanwhile, and HDFS joins no files"
                + " that a snapshot has: convert it again");
      }
      throw e;
    }
  }

  /**
   * Publishes the stripe with one rename of its described parity file: a stripe is never half
   * published.
   */
  private void publish(Stripe stripe, String[] staged) throws IOException {
    Path first = new Path(staged[0]);
    if (staged.length > 1) {
      join(first, IntStream.range(1, staged.length).mapToObj(j -> new Path(staged[j])));
    }
    Faults.reach(FaultStep.CONVERT_CONCATENATED, stripe.id());
    session.nameNode().putStripe(session.lease(), staged[0], stripe);
    Faults.reach(FaultStep.CONVERT_DESCRIBED, stripe.id());
    Path published = new Path(BraidPaths.stripePath(stripe.id()));
    session.files().mkdirs(published.getParent(), BraidPaths.RIGHTS);
    if (!session.files().rename(first, published)) {
      throw new IOException("HDFS did not rename " + first + " to " + published);
    }
    session.nameNode().putStripe(session.lease(), BraidPaths.stripePath(stripe.id()), stripe);
    session.files().delete(new Path(BraidPaths.stagingDirectory(stripe.id())), true);
    Faults.reach(FaultStep.CONVERT_PUBLISHED, stripe.id());
  }
}
