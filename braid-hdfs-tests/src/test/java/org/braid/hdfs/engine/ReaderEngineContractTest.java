package org.braid.hdfs.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.token.Token;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.FragmentRunner;
import org.braid.engine.SliceSink;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;

/** Plans that end in this process, as degraded reads run them. */
final class ReaderEngineContractTest extends HdfsEngineContract {
  private final BufferPool pool = new BufferPool(16 << 20);

  /** Those that store at the spare node alone. */
  @Override
  protected List<Scenario> scenarios() {
    return super.scenarios().stream()
        .filter(s -> s.plan().stores().stream().allMatch(store -> store.node() == SPARE))
        .filter(s -> s.plan().shape().matches("star|ppr|chain|racktree"))
        .toList();
  }

  @Override
  Optional<LocalNode> local(Plan plan, CellLayout layout, Map<SubBlock, byte[]> stored) {
    return Optional.of(
        new LocalNode(
            SPARE,
            "",
            new FragmentRunner(Kernels.active(), SLICE, pool),
            (worker, run, stream, length, token) ->
                StreamClient.open(
                    cluster.configuration(),
                    worker.node().ip(),
                    worker.answer().getStreamPort(),
                    run,
                    stream,
                    length,
                    StreamSecurity.client(fs.getClient(), token, worker.node().transferPort())),
            position -> new Token<>(),
            target -> new Collecting(target, stored),
            (from, to, bytes) -> {}));
  }

  private static final class Collecting implements SliceSink {
    private final SubBlock target;
    private final Map<SubBlock, byte[]> stored;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Collecting(SubBlock target, Map<SubBlock, byte[]> stored) {
      this.target = target;
      this.stored = stored;
    }

    @Override
    public void write(ByteBuffer slice) {
      byte[] part = new byte[slice.remaining()];
      slice.get(part);
      bytes.writeBytes(part);
    }

    @Override
    public void finish(int crc32c) {
      stored.put(target, bytes.toByteArray());
    }

    @Override
    public void close() {}
  }
}
