package org.braid.hdfs.coordinator.convert;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
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
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes anew what is left of stripes that lost data blocks to deletions and changes, by the code
 * and the promise that they had. Until then the blocks are replicated.
 */
public final class Reencoder {
  private static final Logger LOG = LoggerFactory.getLogger(Reencoder.class);

  private final Session session;
  private final RepairRequest request;
  private final BooleanSupplier halted;

  /**
   * Nothing is encoded yet.
   *
   * @param halted whether no more stripes are to be begun; what is left is for the next run
   */
  public Reencoder(Session session, RepairRequest request, BooleanSupplier halted) {
    this.session = session;
    this.request = request;
    this.halted = halted;
  }

  /** What stripes have in common that are encoded anew together. */
  private record Kind(String code, int copies, StripePromise promise) {
    static Kind of(Stripe stripe) {
      ErasureCode code = stripe.code();
      return new Kind(ParityCopies.original(code).name(), ParityCopies.of(code), stripe.promise());
    }
  }

  /**
   * Encodes anew below the path asked for.
   *
   * @return the number of stripes that had lost data blocks, and of which files were encoded anew
   */
  public int run() throws IOException {
    Set<Long> encoded = new HashSet<>();
    List<Set<Long>> thinned = new ArrayList<>();
    Map<Kind, Set<Long>> inodes = new LinkedHashMap<>();
    session
        .nameNode()
        .thinnedStripes(
            page -> {
              for (StripeStatus status : page) {
                if (status.members().stream().anyMatch(this::isBelow)) {
                  // All are protected first: encoding may take long.
                  session.nameNode().protect(session.lease(), status.stripe().id());
                  thinned.add(add(status, inodes));
                }
              }
            });
    for (Map.Entry<Kind, Set<Long>> entry : inodes.entrySet()) {
      if (halted.getAsBoolean()) {
        break;
      }
      List<String> present = new ArrayList<>();
      Map<String, Long> inodeOf = new HashMap<>();
      for (long inode : entry.getValue()) {
        String path = BraidPaths.inode(inode);
        try {
          session.nameNode().files(path).forEach(file -> inodeOf.put(file.path(), inode));
          present.add(path);
        } catch (FileNotFoundException e) {
          LOG.info("what is left of inode {} in snapshots stays replicated", inode);
        }
      }
      if (present.isEmpty()) {
        continue;
      }
      try {
        ConvertReport report =
            new Converter(session, request(entry.getKey(), present), halted).convert();
        Set<Long> done = new HashSet<>(inodeOf.values());
        for (Skipped file : report.skipped()) {
          LOG.info("{}: {}", file.path(), file.reason());
          // What new parity is not worth its room for is replicated in its place.
          if (!file.cause().equals("NO_GAIN")) {
            done.remove(inodeOf.get(file.path()));
          }
        }
        encoded.addAll(done);
      } catch (FileNotFoundException | RefusedException e) {
        LOG.warn("blocks of {} stay replicated for now: {}", present, e.getMessage());
      }
    }
    return (int)
        thinned.stream().filter(files -> files.stream().anyMatch(encoded::contains)).count();
  }

  /** Adds the files with blocks of a stripe that are to be encoded anew; returns all its files. */
  private static Set<Long> add(StripeStatus status, Map<Kind, Set<Long>> inodes) {
    Stripe stripe = status.stripe();
    Set<Long> files = new TreeSet<>();
    for (MemberStatus member : status.members().subList(0, stripe.code().k())) {
      if (!member.gone()) {
        files.add(member.inode());
        if (!isReplicated(member)) {
          inodes.computeIfAbsent(Kind.of(stripe), kind -> new TreeSet<>()).add(member.inode());
        }
      }
    }
    return files;
  }

  /** Whether users want several replicas: its stripe does not matter. */
  private static boolean isReplicated(MemberStatus member) {
    return member.fileReplication() > 1 && member.status().expected() > 1;
  }

  private boolean isBelow(MemberStatus member) {
    return !member.gone() && BraidPaths.isBelow(member.path(), request.path());
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
