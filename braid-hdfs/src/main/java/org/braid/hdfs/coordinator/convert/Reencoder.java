package org.braid.hdfs.coordinator.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.coordinator.session.FileBatches;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes anew the remaining blocks of stripes that lost data blocks to deletions and changes, by
 * the same code and promise. Until then the blocks are replicated.
 */
public final class Reencoder {
  private static final Logger LOG = LoggerFactory.getLogger(Reencoder.class);

  /** Data blocks of a batch: other repair waits for it. */
  static final int BATCH_BLOCKS = 1000;

  private final Calls calls;
  private final RepairRequest request;
  private final BooleanSupplier halted;
  private final BooleanSupplier waited;

  /** The calls that encoding anew makes. */
  interface Calls {
    /** The stripes that lost some but not all of their data blocks. */
    void thinnedStripes(Page<StripeStatus> pages) throws IOException;

    /** Asks for replicas of the remaining data blocks of a stripe. */
    void protect(String stripe) throws IOException;

    /** The next files at or below a path. */
    FilePage filesAfter(String path, Optional<String> after) throws IOException;

    /** Converts the files of some batches. */
    ConvertReport convert(ConvertRequest how, FileBatches files) throws IOException;
  }

  /** Finds stripes that lost data blocks. */
  private interface Search {
    void in(Page<StripeStatus> pages) throws IOException;
  }

  private record SessionCalls(Session session, Search search, BooleanSupplier halted)
      implements Calls {
    @Override
    public void thinnedStripes(Page<StripeStatus> pages) throws IOException {
      search.in(pages);
    }

    @Override
    public void protect(String stripe) throws IOException {
      session.nameNode().protect(session.lease(), stripe);
    }

    @Override
    public FilePage filesAfter(String path, Optional<String> after) throws IOException {
      return session.nameNode().filesAfter(path, after);
    }

    @Override
    public ConvertReport convert(ConvertRequest how, FileBatches files) throws IOException {
      return new Converter(session, how, halted, Cause.REENCODE).convert(files);
    }
  }

  /**
   * Encodes anew the files at or below the requested path.
   *
   * @param halted whether no more stripes are to be begun; what is left is for the next run
   */
  public static Reencoder below(Session session, RepairRequest request, BooleanSupplier halted) {
    String path = request.path();
    Search search =
        path.equals("/")
            ? session.nameNode()::thinnedStripes
            : pages -> session.nameNode().stripesBelow(path, new Thinned(Page.once(pages)));
    return new Reencoder(new SessionCalls(session, search, halted), request, halted, () -> false);
  }

  /**
   * Encodes anew the stripes that the NameNode has noted. It looks at no other stripes, so that it
   * may run often.
   *
   * @param halted whether no more stripes are to be begun; what is left is for the next run
   * @param waited whether other repairs wait; asked between two batches
   */
  public static Reencoder noted(
      Session session, RepairRequest request, BooleanSupplier halted, BooleanSupplier waited) {
    return new Reencoder(
        new SessionCalls(session, session.nameNode()::notedThinnedStripes, halted),
        request,
        halted,
        waited);
  }

  /** Passes on the stripes that lost data blocks and whose other data blocks rely on the parity. */
  private static final class Thinned implements Page<StripeStatus> {
    private final Page<StripeStatus> to;

    Thinned(Page<StripeStatus> to) {
      this.to = to;
    }

    @Override
    public void take(List<StripeStatus> page) throws IOException {
      to.take(
          page.stream().filter(status -> status.hasLostData() && reliesOnParity(status)).toList());
    }

    private static boolean reliesOnParity(StripeStatus status) {
      return status.data().stream().anyMatch(member -> !member.wantsReplicas());
    }

    @Override
    public boolean isFull() {
      return to.isFull();
    }
  }

  Reencoder(Calls calls, RepairRequest request, BooleanSupplier halted, BooleanSupplier waited) {
    this.calls = calls;
    this.request = request;
    this.halted = halted;
    this.waited = waited;
  }

  /** The properties that stripes share when they are encoded anew together. */
  private record Kind(String code, int copies, StripePromise promise) {
    static Kind of(Stripe stripe) {
      ErasureCode code = stripe.code();
      return new Kind(ParityCopies.original(code).name(), ParityCopies.of(code), stripe.promise());
    }
  }

  /**
   * The result of encoding anew.
   *
   * @param stripes that had lost data blocks, and of which files were encoded anew
   * @param parityLeft parity files that nobody needs any more and that could not be deleted
   */
  public record Reencoded(int stripes, List<Skipped> parityLeft) {}

  /**
   * Encodes anew below the path asked for.
   *
   * @throws IOException when a batch of files failed, after all others
   */
  public Reencoded run() throws IOException {
    List<Set<Long>> thinned = new ArrayList<>();
    Map<Kind, SortedMap<Long, Integer>> blocksOf = new LinkedHashMap<>();
    calls.thinnedStripes(
        Page.until(
            halted,
            page -> {
              for (StripeStatus status : page) {
                if (status.data().stream().anyMatch(this::isBelow)) {
                  // All are protected first: encoding may take long.
                  if (lacksReplicas(status)) {
                    calls.protect(status.stripe().id());
                  }
                  thinned.add(add(status, blocksOf));
                }
              }
            }));
    Set<Long> encoded = new HashSet<>();
    List<Skipped> parityLeft = new SpilledList<>();
    List<IOException> failures = new ArrayList<>();
    boolean first = true;
    for (Map.Entry<Kind, SortedMap<Long, Integer>> entry : blocksOf.entrySet()) {
      for (List<Long> inodes : batches(entry.getValue())) {
        if (halted.getAsBoolean() || (!first && waited.getAsBoolean())) {
          return new Reencoded(count(thinned, encoded, failures), parityLeft);
        }
        first = false;
        try {
          encoded.addAll(encode(entry.getKey(), inodes, parityLeft));
        } catch (IOException e) {
          if (Rpc.isInterrupt(e)) {
            throw e;
          }
          // What keeps one batch from being encoded keeps no other one from that.
          LOG.warn("{} files stay replicated for now: {}", inodes.size(), e.getMessage());
          failures.add(e);
        }
      }
    }
    return new Reencoded(count(thinned, encoded, failures), parityLeft);
  }

  /**
   * Whether to ask the NameNode for replicas of the remaining blocks of a stripe. Each request
   * takes its write lock, and each run lists all stripes that wait for new parity.
   */
  private static boolean lacksReplicas(StripeStatus status) {
    return status.data().stream().anyMatch(member -> member.status().expected() == 1);
  }

  /** Says how many stripes have lost data blocks; changes nothing. */
  public int look() throws IOException {
    int[] found = new int[1];
    calls.thinnedStripes(
        page -> {
          for (StripeStatus status : page) {
            found[0] += status.data().stream().anyMatch(this::isBelow) ? 1 : 0;
          }
        });
    return found[0];
  }

  /**
   * Counts the stripes of which files were encoded.
   *
   * @throws IOException the first failure, with their number
   */
  private static int count(List<Set<Long>> thinned, Set<Long> encoded, List<IOException> failures)
      throws IOException {
    int stripes =
        (int) thinned.stream().filter(files -> files.stream().anyMatch(encoded::contains)).count();
    if (failures.isEmpty()) {
      return stripes;
    }
    IOException first = failures.get(0);
    throw new IOException(
        "%d batches of files could not be encoded anew, what is left of %d stripes was; the first: %s"
            .formatted(failures.size(), stripes, first.getMessage()),
        first);
  }

  /** Files in order, with about as many blocks as a batch has. */
  private static List<List<Long>> batches(SortedMap<Long, Integer> blocksOf) {
    List<List<Long>> batches = new ArrayList<>();
    int room = 0;
    for (Map.Entry<Long, Integer> file : blocksOf.entrySet()) {
      if (room <= 0) {
        batches.add(new ArrayList<>());
        room = BATCH_BLOCKS;
      }
      batches.get(batches.size() - 1).add(file.getKey());
      room -= file.getValue();
    }
    return batches;
  }

  /**
   * Encodes some files anew; returns those with no block left to encode.
   *
   * @param parityLeft gets the parity files that could not be deleted
   */
  private Set<Long> encode(Kind kind, List<Long> inodes, List<Skipped> parityLeft)
      throws IOException {
    List<String> paths = inodes.stream().map(BraidPaths::inode).toList();
    Map<String, Long> inodeOf = new HashMap<>();
    FileBatches files =
        new FileBatches(
                (path, after) -> {
                  FilePage page = calls.filesAfter(path, after);
                  page.files().forEach(file -> inodeOf.put(file.path(), file.inode()));
                  return page;
                },
                paths)
            .passingOverMissing();
    Set<Long> encoded = new HashSet<>();
    try {
      ConvertReport report = calls.convert(request(kind, paths), files);
      report.files().forEach(file -> encoded.add(inodeOf.getOrDefault(file.path(), -1L)));
      parityLeft.addAll(report.parityLeft());
      for (Skipped file : report.skipped()) {
        LOG.info("{}: {}", file.path(), file.reason());
        // What new parity is not worth its room for is replicated in its place.
        if (file.cause().equals("NO_GAIN")) {
          encoded.add(inodeOf.getOrDefault(file.path(), -1L));
        }
      }
    } catch (FileNotFoundException | RefusedException e) {
      LOG.warn(
          "{} files, the first {}, stay replicated for now: {}",
          paths.size(),
          paths.get(0),
          e.getMessage());
    }
    return encoded;
  }

  /** Adds the files with blocks that are to be encoded anew; returns all that rely on a stripe. */
  private Set<Long> add(StripeStatus status, Map<Kind, SortedMap<Long, Integer>> blocksOf) {
    Stripe stripe = status.stripe();
    Set<Long> files = new TreeSet<>();
    for (MemberStatus member : status.data()) {
      files.add(member.inode());
      // Files elsewhere are protected, and for those who work there.
      if (!member.wantsReplicas() && isBelow(member)) {
        blocksOf
            .computeIfAbsent(Kind.of(stripe), kind -> new TreeMap<>())
            .merge(member.inode(), 1, Integer::sum);
      }
    }
    return files;
  }

  private boolean isBelow(MemberStatus member) {
    return BraidPaths.isBelow(member.path(), request.path());
  }

  private ConvertRequest request(Kind kind, List<String> paths) {
    StripePromise promise = kind.promise();
    int targets = promise.targetRacks().size();
    return new ConvertRequest(
        paths,
        kind.code(),
        promise.sites().isPresent() ? OptionalInt.empty() : OptionalInt.of(promise.perRack()),
        targets == 0 ? OptionalInt.empty() : OptionalInt.of(targets),
        promise.sites().map(StripePromise.Sites::policy),
        kind.copies(),
        ConvertRequest.Method.DEFAULT,
        request.parallel(),
        request.sliceBytes(),
        request.seed(),
        Progress.SILENT);
  }
}
