package org.braid.hdfs.namenode.view;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeTotals;
import org.braid.hdfs.proto.BraidProtos.CodeTotalProto;
import org.braid.hdfs.proto.BraidProtos.HiddenStripeProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;

/** Computes totals of files, bytes and stripes from counters only. */
public final class Totals {
  private final NameNodeHost host;
  private final StripeIndex index;
  private final Predicate<String> claimed;

  /**
   * Reads the counters.
   *
   * @param claimed whether a lease has claimed a stripe
   */
  public Totals(NameNodeHost host, StripeIndex index, Predicate<String> claimed) {
    this.host = host;
    this.index = index;
    this.claimed = claimed;
  }

  /**
   * The totals now.
   *
   * @param stripes stripes for which the answer tells whether they are claimed
   */
  public TotalsResponseProto count(List<String> stripes) throws IOException {
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
    stripes.stream().filter(claimed).forEach(response::addClaimed);
    return response.setUnreadable(hidden.count()).build();
  }
}
