package org.braid.hdfs.coordinator.session;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.PersistResponseProto;
import org.braid.hdfs.proto.BraidProtos.ProtectRequestProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeRequestProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeResponseProto;
import org.braid.hdfs.proto.BraidProtos.RaiseRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepResponseProto;
import org.braid.hdfs.proto.BraidProtos.TotalsRequestProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;
import org.braid.hdfs.proto.BraidProtos.TrimRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimResponseProto;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.stripe.StripeSums;
import org.braid.hdfs.time.Ticker;

/** Braid's calls on the NameNode; long answers come in pages. Thread-safe. */
public final class NameNodeCalls implements Closeable {
  private static final int PAGE = 500;

  private final NameNodeLink link;
  private final NameNodeLeases leases;
  private final int page;

  public NameNodeCalls(NameNodeLink link) {
    this(link, PAGE);
  }

  /**
   * Creates calls with pages of a given size.
   *
   * @param page files, stripes or blocks of a page
   */
  public NameNodeCalls(NameNodeLink link, int page) {
    this.link = link;
    leases = new NameNodeLeases(link);
    this.page = page;
  }

  public ClusterResponseProto cluster() throws IOException {
    return link.ask(stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()));
  }

  /** Takes the pages of an answer. */
  public interface Page<T> {
    void take(List<T> page) throws IOException;

    /** Whether to stop after this page. */
    default boolean isFull() {
      return false;
    }

    /**
     * Takes pages until a condition holds.
     *
     * @param full whether to stop
     */
    static <T> Page<T> until(BooleanSupplier full, Page<T> takes) {
      return new Page<>() {
        @Override
        public void take(List<T> page) throws IOException {
          takes.take(page);
        }

        @Override
        public boolean isFull() {
          return full.getAsBoolean();
        }
      };
    }

    /** Passes on each stripe once, also if several pages contain it. */
    static Page<StripeStatus> once(Page<StripeStatus> takes) {
      Set<Long> taken = new HashSet<>();
      return until(
          takes::isFull,
          page -> takes.take(page.stream().filter(s -> taken.add(s.parityInode())).toList()));
    }
  }

  /** All files at or below a path. */
  public List<StoredFile> files(String path) throws IOException {
    List<StoredFile> out = new ArrayList<>();
    files(path, out::addAll);
    return out;
  }

  /** All files at or below a path, page by page. */
  public void files(String path, Page<StoredFile> pages) throws IOException {
    Optional<String> after = Optional.empty();
    do {
      FilePage page = filesAfter(path, after);
      pages.take(page.files());
      after = page.last();
    } while (after.isPresent() && !pages.isFull());
  }

  /**
   * The stripes of the blocks of all files at or below a path, page by page; one may be on several
   * pages.
   */
  public void stripesBelow(String path, Page<StripeStatus> pages) throws IOException {
    files(
        path,
        Page.until(
            pages::isFull,
            page -> {
              List<Long> ids = new ArrayList<>();
              page.forEach(file -> file.blocks().forEach(b -> ids.add(b.block().id())));
              pages.take(stripesOf(ids));
            }));
  }

  /**
   * Some files at or below a path.
   *
   * @param last the last of them when there are more
   */
  public record FilePage(List<StoredFile> files, Optional<String> last) {}

  /**
   * The next files at or below a path.
   *
   * @param after only files after this path; empty: from the first one
   */
  public FilePage filesAfter(String path, Optional<String> after) throws IOException {
    FilesRequestProto.Builder request = FilesRequestProto.newBuilder().setPath(path).setLimit(page);
    after.ifPresent(request::setAfter);
    FilesResponseProto answer = link.ask(stub -> () -> stub.files(null, request.build()));
    List<StoredFile> files = answer.getFilesList().stream().map(StatusCodec::of).toList();
    return new FilePage(
        files,
        answer.getMore() ? Optional.of(files.get(files.size() - 1).path()) : Optional.empty());
  }

  /** The files that a request asks for, at most a page. */
  public FilesResponseProto files(FilesRequestProto.Builder request) throws IOException {
    FilesRequestProto limited = request.setLimit(page).build();
    return link.ask(stub -> () -> stub.files(null, limited));
  }

  /** The totals of the cluster. */
  public TotalsResponseProto totals() throws IOException {
    TotalsRequestProto request = TotalsRequestProto.getDefaultInstance();
    return link.ask(stub -> () -> stub.totals(null, request));
  }

  /** Those of some stripes, published or staged, that are claimed now. */
  public List<String> claimed(List<String> stripes) throws IOException {
    List<String> claimed = new ArrayList<>();
    for (int from = 0; from < stripes.size(); from += page) {
      TotalsRequestProto request =
          TotalsRequestProto.newBuilder()
              .addAllStripeIds(stripes.subList(from, Math.min(stripes.size(), from + page)))
              .build();
      claimed.addAll(link.ask(stub -> () -> stub.totals(null, request)).getClaimedList());
    }
    return claimed;
  }

  /** All stripes. */
  public List<StripeStatus> stripes() throws IOException {
    List<StripeStatus> out = new ArrayList<>();
    pages(StripesRequestProto.newBuilder().setLimit(page), out::addAll);
    return out;
  }

  /** Returns a recent look at the cluster. */
  public interface RecentLook {
    ClusterState recent() throws IOException;
  }

  /**
   * The stripes that are not sound on a given look at the cluster. Each page is requested with a
   * recent look: when that differs from the NameNode's DataNodes or their service states, the
   * NameNode leaves out no stripe.
   */
  public void unsoundStripes(RecentLook cluster, Page<StripeStatus> pages) throws IOException {
    DamagedListing.unsound(this::stripes, page, cluster, pages);
  }

  /**
   * Some stripes in the order of their ids.
   *
   * @param more whether more stripes follow
   */
  public record StripePage(List<StripeStatus> stripes, boolean more) {}

  /**
   * The next stripes.
   *
   * @param after only stripes after this id; empty: from the first one
   * @param most the largest number of stripes
   */
  public StripePage stripesAfter(String after, int most) throws IOException {
    StripesRequestProto.Builder request = StripesRequestProto.newBuilder().setLimit(most);
    if (!after.isEmpty()) {
      request.setAfter(after);
    }
    StripesResponseProto answer = link.ask(stub -> () -> stub.stripes(null, request.build()));
    return new StripePage(
        answer.getStripesList().stream().map(StatusCodec::of).toList(), answer.getMore());
  }

  /**
   * The stripes with a block that does not have exactly one good copy, at its home; those that lack
   * the most blocks come first.
   */
  public List<StripeStatus> damagedStripes() throws IOException {
    List<StripeStatus> out = new ArrayList<>();
    damagedStripes(out::addAll);
    return out;
  }

  /** The same page by page; one may be on several pages. */
  public void damagedStripes(Page<StripeStatus> pages) throws IOException {
    new DamagedListing(this::stripes, page, Ticker.SYSTEM).list(pages);
  }

  /** The stripes with facts that the judgement of their files does not contain, page by page. */
  public void notableStripes(Page<StripeStatus> pages) throws IOException {
    pages(StripesRequestProto.newBuilder().setLimit(page).setNotable(true), pages);
  }

  /** The same of some stripes only. */
  public void notableStripes(StripeSums.Range range, Page<StripeStatus> pages) throws IOException {
    StripesRequestProto.Builder request =
        StripesRequestProto.newBuilder().setLimit(page).setNotable(true).setAfter(range.after());
    String before = range.before();
    pages(before == null ? request : request.setBefore(before), pages);
  }

  /** Sums over all stripes; empty when the NameNode is of an earlier version. */
  public Optional<StripeSums> stripeSums() throws IOException {
    StripeSums sums = new StripeSums();
    StripesRequestProto.Builder request =
        StripesRequestProto.newBuilder().setLimit(1).setSummed(true);
    while (true) {
      StripesResponseProto answer = link.ask(stub -> () -> stub.stripes(null, request.build()));
      if (!answer.hasSums()) {
        return Optional.empty();
      }
      sums.add(answer.getSums());
      if (!answer.getMore()) {
        return Optional.of(sums);
      }
      request.setAfter(answer.getLast());
    }
  }

  /** The stripes that lost some but not all data blocks to deletions or changes, page by page. */
  public void thinnedStripes(Page<StripeStatus> pages) throws IOException {
    pages(StripesRequestProto.newBuilder().setLimit(page).setThinned(true), pages);
  }

  /**
   * Those of them that the NameNode has noted, without a scan of all stripes. The NameNode notes
   * the rest in its own periodic scan.
   */
  public void notedThinnedStripes(Page<StripeStatus> pages) throws IOException {
    pages(StripesRequestProto.newBuilder().setLimit(page).setThinned(true).setNoted(true), pages);
  }

  /** The stripes that hold some blocks, each once. */
  public List<StripeStatus> stripesOf(Collection<Long> blockIds) throws IOException {
    return stripesOf(StripesRequestProto.newBuilder().setLimit(page), blockIds);
  }

  /**
   * The stripes of some blocks of a file that an ordinary user may decode, each once.
   *
   * @throws org.apache.hadoop.security.AccessControlException when the user may not read the file
   */
  public List<StripeStatus> stripesOf(String path, Collection<Long> blockIds) throws IOException {
    return stripesOf(StripesRequestProto.newBuilder().setReadingPath(path), blockIds);
  }

  private List<StripeStatus> stripesOf(
      StripesRequestProto.Builder request, Collection<Long> blockIds) throws IOException {
    Map<String, StripeStatus> out = new LinkedHashMap<>();
    List<Long> ids = List.copyOf(blockIds);
    for (int from = 0; from < ids.size(); from += page) {
      request.clearBlockIds().addAllBlockIds(ids.subList(from, Math.min(ids.size(), from + page)));
      pages(request, found -> found.forEach(s -> out.put(s.stripe().id(), s)));
    }
    return List.copyOf(out.values());
  }

  /** The current state of a stripe; the given one when the stripe is no longer known. */
  public StripeStatus refreshed(StripeStatus status) throws IOException {
    return stripesOf(status.stripe().blockIds()).stream()
        .filter(now -> now.stripe().id().equals(status.stripe().id()))
        .findFirst()
        .orElse(status);
  }

  private StripesResponseProto stripes(StripesRequestProto request) throws IOException {
    return link.ask(stub -> () -> stub.stripes(null, request));
  }

  private void pages(StripesRequestProto.Builder request, Page<StripeStatus> pages)
      throws IOException {
    DamagedListing.byId(this::stripes, () -> request, pages);
  }

  /** The calls on leases. */
  public NameNodeLeases leases() {
    return leases;
  }

  /** Describes a new stripe. */
  public void putStripe(String lease, String parityPath, Stripe stripe) throws IOException {
    var unused = put(described(lease, parityPath, stripe));
  }

  /**
   * Describes a stripe anew.
   *
   * @param seen the description that the change is based on; the NameNode, too, changes homes
   * @return false when the description has changed since; then nothing is written
   */
  public boolean changeStripe(String lease, String parityPath, Stripe seen, Stripe stripe)
      throws IOException {
    var request = described(lease, parityPath, stripe).setSeen(StripeCodec.toProto(seen));
    return !put(request).getChangedMeanwhile();
  }

  private static PutStripeRequestProto.Builder described(
      String lease, String parityPath, Stripe stripe) {
    return PutStripeRequestProto.newBuilder()
        .setLease(lease)
        .setParityPath(parityPath)
        .setStripe(StripeCodec.toProto(stripe));
  }

  private PutStripeResponseProto put(PutStripeRequestProto.Builder request) throws IOException {
    return link.tell(stub -> () -> stub.putStripe(null, request.build()));
  }

  /**
   * Trims a stripe to one replica of each block of some files, and of other files that are to have
   * one; the answer contains refusals as text.
   */
  public TrimResponseProto trim(String lease, String stripeId, Collection<Long> inodes)
      throws IOException {
    return trim(
        TrimRequestProto.newBuilder()
            .setLease(lease)
            .setStripeId(stripeId)
            .addAllInodes(inodes)
            .build());
  }

  /** Trims only blocks that are to have one replica; of other blocks users want several. */
  public List<String> trimSurplus(String lease, String stripeId) throws IOException {
    return trim(TrimRequestProto.newBuilder()
            .setLease(lease)
            .setStripeId(stripeId)
            .setOnlySurplus(true)
            .build())
        .getRefusalsList();
  }

  private TrimResponseProto trim(TrimRequestProto request) throws IOException {
    return link.tell(stub -> () -> stub.trim(null, request));
  }

  /** Persists the replication 1 of a converted file; the answer contains a refusal as text. */
  public PersistResponseProto persist(String lease, long inode) throws IOException {
    return link.tell(
        stub ->
            () ->
                stub.persist(
                    null,
                    PersistRequestProto.newBuilder().setLease(lease).setInode(inode).build()));
  }

  public void raise(String lease, long inode, int replication) throws IOException {
    link.tell(
        stub ->
            () ->
                stub.raise(
                    null,
                    RaiseRequestProto.newBuilder()
                        .setLease(lease)
                        .setInode(inode)
                        .setReplication(replication)
                        .build()));
  }

  /** Asks for replicas of the remaining data blocks of a thinned stripe. */
  public void protect(String lease, String stripeId) throws IOException {
    link.tell(
        stub ->
            () ->
                stub.protect(
                    null,
                    ProtectRequestProto.newBuilder()
                        .setLease(lease)
                        .setStripeId(stripeId)
                        .build()));
  }

  /**
   * Deletes the parity of some stripes, staged leftovers, and parity that protects nothing among
   * the next few stripes: each call looks at others. Returns the number of deleted paths.
   */
  public int sweep(String lease, Collection<String> replicatedStripes) throws IOException {
    return sweeps().some(lease, List.copyOf(replicatedStripes), false);
  }

  /** Sweeps a stripe that the caller has claimed. */
  public int sweepClaimed(String lease, String stripe) throws IOException {
    return sweeps().some(lease, List.of(stripe), true);
  }

  /**
   * Deletes all parity that protects nothing, and staged leftovers.
   *
   * @param halted whether to leave the rest to the next sweep
   */
  public void sweepAll(String lease, BooleanSupplier halted) throws IOException {
    sweeps().all(lease, halted);
  }

  private Sweeps sweeps() {
    return new Sweeps(request -> link.tell(stub -> () -> stub.sweep(null, request)), page);
  }

  /** Sweeps in short calls, independent of the number of stripes. */
  record Sweeps(Calls calls, int page) {
    /** The NameNode. */
    interface Calls {
      SweepResponseProto sweep(SweepRequestProto request) throws IOException;
    }

    /** Sweeps the given stripes, some at a time; returns the number of deleted paths. */
    int some(String lease, List<String> stripes, boolean claimed) throws IOException {
      int deleted = 0;
      int from = 0;
      do {
        int to = Math.min(stripes.size(), from + page);
        SweepRequestProto.Builder request = SweepRequestProto.newBuilder().setLease(lease);
        request.addAllReplicatedStripes(stripes.subList(from, to)).setClaimed(claimed);
        deleted += calls.sweep(request.build()).getDeletedCount();
        from = to;
      } while (from < stripes.size());
      return deleted;
    }

    /** Sweeps all stripes, some at a time. */
    void all(String lease, BooleanSupplier halted) throws IOException {
      SweepRequestProto.Builder request =
          SweepRequestProto.newBuilder().setLease(lease).setAfter("");
      SweepResponseProto swept = calls.sweep(request.build());
      while (swept.hasNext() && !halted.getAsBoolean()) {
        swept = calls.sweep(request.setAfter(swept.getNext()).build());
      }
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
