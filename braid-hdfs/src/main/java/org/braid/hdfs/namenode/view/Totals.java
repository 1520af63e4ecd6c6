package org.braid.hdfs.namenode.view;

import java.io.IOException;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeTotals;
import org.braid.hdfs.proto.BraidProtos.CodeTotalProto;
import org.braid.hdfs.proto.BraidProtos.HiddenStripeProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;

/** Says how much there is, from counters alone. */
public final class Totals {
  private final NameNodeHost host;
  private final StripeIndex index;

  public Totals(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** What there is now. */
  public TotalsResponseProto count() throws IOException {
    index.catchUp();
    TotalsResponseProto.Builder response =
        TotalsResponseProto.newBuilder()
            .setBlocks(host.blocks().getTotalBlocks())
            .setThinned(index.totals().thinned())
            .setStoredBytes(host.reading("braidTotals", host::storedBytes));
    index
        .totals()
        .now()
        .forEach(
            (code, total) ->
                response.addCodes(
                    CodeTotalProto.newBuilder()
                        .setCode(code)
                        .setKnown(total.known())
                        .setCopied(total.copied())
                        .setStripes(total.stripes())
                        .setDataBlocks(total.dataBlocks())
                        .setDataBytes(total.dataBytes())
                        .setReplicatedBytes(total.replicatedBytes())
                        .setParityBlocks(total.parityBlocks())
                        .setParityBytes(total.parityBytes())));
    StripeTotals.Hidden hidden = index.hidden();
    hidden
        .named()
        .forEach(
            (path, problem) ->
                response.addHidden(
                    HiddenStripeProto.newBuilder().setPath(path).setProblem(problem)));
    return response.setUnreadable(hidden.count()).build();
  }
}
