package org.braid.hdfs.api;

import java.util.List;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.jspecify.annotations.Nullable;

/**
 * The work of a policy if a daemon began now and nothing else changed.
 *
 * @param policy its name
 * @param action what it does with files: {@code convert}, {@code restore} or {@code leave}
 * @param code the code that it converts to; null when it converts nothing
 * @param parityCopies how often it stores each parity; null when it converts nothing
 * @param waits why it does nothing now, and until when; null when it works
 * @param problem why it cannot work as intended on the present cluster, with numbers; null when it
 *     can
 * @param files files that it would convert or restore now, or after its wait
 * @param bytes of their contents, without those of files that are left alone
 * @param done files that are already in the wanted state
 * @param otherCode files that are converted with another code, and stay so until they are restored
 * @param later files that it takes later if they are not used
 * @param nextAt when it takes the first of these, a second in ISO 8601; null when there are none
 * @param stripes stripes that it would write
 * @param bytesSaved bytes of replicas less bytes of parity; unknown for restored files
 * @param parityBytes bytes of new parity
 * @param crossRackBytes bytes that conversion would send from rack to rack
 * @param seconds least duration of conversion, see {@link ConvertPreview}; null when a throttle of
 *     0 stops it
 * @param leftAlone files that it takes and does not convert; of many a {@link SpilledList}
 */
public record PolicyPreview(
    String policy,
    String action,
    @Nullable String code,
    @Nullable Integer parityCopies,
    @Nullable String waits,
    @Nullable String problem,
    int files,
    long bytes,
    int done,
    int otherCode,
    int later,
    @Nullable String nextAt,
    int stripes,
    long bytesSaved,
    long parityBytes,
    long crossRackBytes,
    @Nullable Double seconds,
    List<Skipped> leftAlone) {
  /** The name of the code of its stripes, copies of parity included; null when it has none. */
  public @Nullable String stripeCode() {
    return code == null || parityCopies == null ? null : ParityCopies.name(code, parityCopies);
  }
}
