package org.braid.hdfs.coordinator.view;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageReport.Row;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.api.view.UsageRequest.By;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;

/** Adds up the storage that files take, by directory or owner, page by page. */
final class UsageTally {
  private final UsageRequest request;

  /** The path asked for without a slash at its end. */
  private final String base;

  private final Sum total = new Sum();
  private final Map<String, Sum> rows = new TreeMap<>();
  private final Set<String> unsupported = new HashSet<>();

  UsageTally(UsageRequest request) {
    this.request = request;
    base = request.path().replaceFirst("/+$", "");
  }

  private static final class Sum {
    private long files;
    private long content;
    private long replicas;
    private long replicated;

    /** Bytes of parity; fractional, as files share stripes. */
    private double parity;

    void add(Sum other) {
      files += other.files;
      content += other.content;
      replicas += other.replicas;
      replicated += other.replicated;
      parity += other.parity;
    }

    Row row(String name) {
      long whole = Math.round(parity);
      return new Row(name, files, content, replicas + whole, whole, replicated);
    }
  }

  /** Files so far. */
  long files() {
    return total.files;
  }

  /** Adds files and the stripes of their blocks. */
  void add(List<StoredFile> files, StripeMap stripes) {
    Map<String, Double> shares = new TreeMap<>();
    for (StoredFile file : files) {
      Sum sum = new Sum();
      sum.files = 1;
      if (file.usage().striped() > 0) {
        sum.content = file.length();
        sum.replicas = file.usage().striped();
        sum.replicated = sum.replicas; // Braid saves nothing of it
      }
      for (BlockStatus block : file.blocks()) {
        long length = block.block().length();
        int replicas = block.replicas().size();
        StripeStatus stripe = stripes.of(block);
        sum.content += length;
        if (stripe == null) {
          sum.replicas += length * replicas;
          sum.replicated += length * replicas;
        } else {
          // A lost block will be there again.
          int copies = Math.max(1, replicas);
          sum.replicas += length * copies;
          sum.replicated += length * Math.max(copies, replication(stripe, block));
          sum.parity +=
              length * shares.computeIfAbsent(stripe.stripe().id(), id -> parityOfAByte(stripe));
        }
      }
      total.add(sum);
      names(file).forEach(name -> rows.computeIfAbsent(name, made -> new Sum()).add(sum));
    }
  }

  /** Bytes of parity for each byte of the existing data blocks. */
  private double parityOfAByte(StripeStatus status) {
    Stripe stripe = status.stripe();
    if (!stripe.isSupported()) {
      unsupported.add(stripe.id());
      return 0;
    }
    long data = status.data().stream().mapToLong(m -> m.status().block().length()).sum();
    return data == 0 ? 0 : (double) stripe.parityBytes() / data;
  }

  private static int replication(StripeStatus status, BlockStatus block) {
    return status.stripe().positionOf(block.block().id()).stream()
        .map(position -> status.stripe().member(position).replication())
        .findFirst()
        .orElse(1);
  }

  private List<String> names(StoredFile file) {
    if (request.by() == By.OWNER) {
      return List.of(file.usage().owner());
    }
    List<String> names = new ArrayList<>();
    int end = base.length();
    for (int level = 0; level < request.depth() && file.path().startsWith(base + "/"); level++) {
      end = file.path().indexOf('/', end + 1);
      if (end < 0) {
        break;
      }
      names.add(file.path().substring(0, end));
    }
    return names;
  }

  /**
   * What was counted.
   *
   * @param hidden number of files and directories that this user may not read; null for a superuser
   */
  UsageReport report(@Nullable Integer hidden) {
    List<Row> listed = new ArrayList<>();
    rows.forEach((name, sum) -> listed.add(sum.row(name)));
    return new UsageReport(
        request.path(), total.row(request.path()), listed, unsupported.size(), hidden);
  }
}
