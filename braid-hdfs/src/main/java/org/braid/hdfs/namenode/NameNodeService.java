package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.namenode.calls.SafeRemovals;
import org.braid.hdfs.namenode.deferral.Deferral;
import org.braid.hdfs.namenode.deferral.Demands;
import org.braid.hdfs.namenode.files.FileLister;
import org.braid.hdfs.namenode.host.AuditLog;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeHost.Work;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.namenode.sound.SoundFiles;
import org.braid.hdfs.namenode.stripes.Persister;
import org.braid.hdfs.namenode.stripes.Raiser;
import org.braid.hdfs.namenode.stripes.StripeDescriptions;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Sweeper;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.namenode.view.DamagedStripes;
import org.braid.hdfs.namenode.view.StripeLister;
import org.braid.hdfs.namenode.view.Totals;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.ClaimRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClaimResponseProto;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.PersistResponseProto;
import org.braid.hdfs.proto.BraidProtos.ProtectRequestProto;
import org.braid.hdfs.proto.BraidProtos.ProtectResponseProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeRequestProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeResponseProto;
import org.braid.hdfs.proto.BraidProtos.RaiseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RaiseResponseProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseRequestProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseResponseProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.SweepResponseProto;
import org.braid.hdfs.proto.BraidProtos.TotalsRequestProto;
import org.braid.hdfs.proto.BraidProtos.TotalsResponseProto;
import org.braid.hdfs.proto.BraidProtos.TrimRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimResponseProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCodec;
import org.jspecify.annotations.Nullable;

/**
 * Serves Braid's calls: checks the caller, the state of the NameNode and the lease, then delegates
 * the work.
 */
final class NameNodeService implements BraidNameNodePB {
  private static final int DEFAULT_FILES = 1000;

  /** Stripes that a sweep looks at in one call. */
  private static final int SWEPT_STRIPES = 500;

  /** Blocks that a reader may name in one call. */
  private static final int MOST_BLOCKS = 1000;

  /** Questions for so many DataNodes are not counted. */
  private static final int FEW_NODES = 16;

  /**
   * What coordinators call every few seconds: logged when refused. Who gets the lease is logged
   * then.
   */
  private static final Set<String> ROUTINE = Set.of("acquire", "renew", "claim", "demands");

  private final NameNodeHost host;
  private final AuditLog audit;
  private final StripeIndex index;
  private final ClusterView cluster;
  private final FileLister files;
  private final SoundFiles soundFiles;
  private final StripeLister stripes;
  private final Totals totals;
  private final Leases leases;
  private final Demands demands;
  private final SafeRemovals removals;
  private final Trimmer trimmer;
  private final Persister persister;
  private final Raiser raiser;
  private final Sweeper sweeper;
  private final Shares readers;

  NameNodeService(
      NameNodeHost host,
      StripeIndex index,
      DamagedStripes damaged,
      OpenWrites writes,
      Leases leases,
      Deferral deferral) {
    this.host = host;
    this.audit = new AuditLog(host);
    this.index = index;
    this.leases = leases;
    this.cluster = new ClusterView(host, deferral);
    this.files = new FileLister(host);
    this.soundFiles = new SoundFiles(host, index, files);
    this.stripes = new StripeLister(host, index, damaged);
    this.totals = new Totals(host, index, leases::isClaimed);
    this.trimmer = new Trimmer(host, index, writes);
    this.persister = new Persister(host, index, writes);
    this.raiser = new Raiser(host, index, writes);
    this.sweeper = new Sweeper(host, index, leases::isClaimed, SWEPT_STRIPES);
    this.demands = deferral.demands();
    this.removals = deferral.removals();
    int handlers =
        host.conf()
            .getInt(
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY,
                DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT);
    this.readers = new Shares(Math.max(1, handlers * 3 / 4), Math.max(1, handlers / 3));
  }

  @Override
  public ClusterResponseProto cluster(RpcController controller, ClusterRequestProto request)
      throws ServiceException {
    Work<ClusterResponseProto> answer =
        () -> cluster.describe(Server.getRemoteIp(), request.getUuidsList());
    int named = request.getUuidsCount();
    // Workers look each other up; that costs less than HDFS's own questions for a file.
    return reading(() -> named > 0 && named <= FEW_NODES ? answer.run() : inTurn(answer));
  }

  @Override
  public FilesResponseProto files(RpcController controller, FilesRequestProto request)
      throws ServiceException {
    return reading(
        () -> {
          checkSuperuser("list files");
          int limit = request.hasLimit() ? request.getLimit() : DEFAULT_FILES;
          Optional<FilesResponseProto> brief =
              request.hasBriefly() ? soundFiles.list(request, limit) : Optional.empty();
          if (brief.isPresent()) {
            return brief.get();
          }
          FileLister.Page<StoredFile> page =
              files.list(request.getPath(), request.hasAfter() ? request.getAfter() : null, limit);
          return FilesResponseProto.newBuilder()
              .addAllFiles(page.files().stream().map(StatusCodec::toProto).toList())
              .setMore(page.more())
              .build();
        });
  }

  @Override
  public StripesResponseProto stripes(RpcController controller, StripesRequestProto request)
      throws ServiceException {
    return reading(
        () -> {
          UserGroupInformation caller = NameNode.getRemoteUser();
          StripesResponseProto answer;
          try {
            if (!request.hasReadingPath()) {
              checkSuperuser("list stripes");
            }
            if (!host.isSuperuser(caller) && request.getBlockIdsCount() > MOST_BLOCKS) {
              throw new IllegalArgumentException(
                  "%d blocks are named, at most %d are answered at once"
                      .formatted(request.getBlockIdsCount(), MOST_BLOCKS));
            }
            answer = inTurn(() -> stripes.read(request, caller.getShortUserName()));
          } catch (AccessControlException e) {
            audit.refused(
                AuditLog.PREFIX + "stripes",
                request.hasReadingPath() ? request.getReadingPath() : null);
            throw e;
          }
          return request.getWithTokens() ? signed(request, answer) : answer;
        });
  }

  @Override
  public TotalsResponseProto totals(RpcController controller, TotalsRequestProto request)
      throws ServiceException {
    return reading(
        () -> {
          checkSuperuser("count stripes");
          return totals.count(request.getStripeIdsList());
        });
  }

  /** Logs for what tokens were signed. */
  private StripesResponseProto signed(StripesRequestProto request, StripesResponseProto answer)
      throws IOException {
    audit.allowed(
        AuditLog.PREFIX + "stripes",
        request.hasReadingPath() ? request.getReadingPath() : null,
        answer.getStripesList().stream().map(StatusCodec::id).collect(Collectors.joining(",")));
    return answer;
  }

  /**
   * A question that anybody may ask. Whoever is no superuser and asks many at once leaves handlers
   * to others.
   */
  private <T> T inTurn(Work<T> question) throws IOException {
    UserGroupInformation caller = NameNode.getRemoteUser();
    if (host.isSuperuser(caller)) {
      return question.run();
    }
    String user = caller.getShortUserName();
    if (!readers.take(user)) {
      throw new RetriableException(
          "%s has %d questions answered already: try later".formatted(user, readers.perUser()));
    }
    try {
      return question.run();
    } finally {
      readers.giveBack(user);
    }
  }

  @Override
  public AcquireResponseProto acquire(RpcController controller, AcquireRequestProto request)
      throws ServiceException {
    return writing(
        "acquire",
        "take the coordinator's lease",
        null,
        null,
        () -> {
          host.awaitTransition(); // a lease that is given before its end would end with it
          AcquireResponseProto response = LeaseAnswers.acquire(leases, request);
          if (response.hasLease()) {
            OwnDirectories.make(host);
            audit.allowed(AuditLog.PREFIX + "acquire", null);
          }
          return response;
        });
  }

  @Override
  public RenewResponseProto renew(RpcController controller, RenewRequestProto request)
      throws ServiceException {
    return writing(
        "renew",
        "renew the coordinator's lease",
        null,
        null,
        () -> LeaseAnswers.renew(leases, request));
  }

  @Override
  public ReleaseResponseProto release(RpcController controller, ReleaseRequestProto request)
      throws ServiceException {
    return writing(
        "release",
        "release the coordinator's lease",
        null,
        null,
        () -> {
          if (leases.release(request.getLease(), request.getReturns())
              && leases.next().isEmpty()
              && leases.isLast(request.getLease())) {
            demands.abandon();
          }
          return ReleaseResponseProto.getDefaultInstance();
        });
  }

  @Override
  public ClaimResponseProto claim(RpcController controller, ClaimRequestProto request)
      throws ServiceException {
    return writing(
        "claim", "claim a stripe", null, null, () -> LeaseAnswers.claim(leases, request));
  }

  @Override
  public PutStripeResponseProto putStripe(RpcController controller, PutStripeRequestProto request)
      throws ServiceException {
    return writing(
        "putStripe",
        "describe a stripe",
        request.getParityPath(),
        request.getLease(),
        () -> {
          Stripe stripe = StripeCodec.of(request.getStripe());
          String path = request.getParityPath();
          if (!path.startsWith(BraidPaths.STAGING + "/")
              && !path.equals(BraidPaths.stripePath(stripe.id()))) {
            throw new IOException(
                "stripe %s cannot be described at %s: neither below %s nor at %s"
                    .formatted(
                        stripe.id(), path, BraidPaths.STAGING, BraidPaths.stripePath(stripe.id())));
          }
          Faults.reach(FaultStep.NAMENODE_PUT_STRIPE, stripe.id());
          Optional<Stripe> seen =
              request.hasSeen() ? Optional.of(StripeCodec.of(request.getSeen())) : Optional.empty();
          StripeDescriptions.Writer writer =
              new StripeDescriptions.Writer(
                  leases.isShared(request.getLease()), () -> leases.check(request.getLease()));
          return PutStripeResponseProto.newBuilder()
              .setChangedMeanwhile(
                  !StripeDescriptions.write(host, index, path, stripe, seen, writer))
              .build();
        });
  }

  @Override
  public TrimResponseProto trim(RpcController controller, TrimRequestProto request)
      throws ServiceException {
    return writing(
        "trim",
        "trim a stripe",
        BraidPaths.stripePath(request.getStripeId()),
        request.getLease(),
        () -> {
          List<String> refusals =
              trimmer.trim(
                  request.getStripeId(),
                  new Trimmer.Blocks(request.getOnlySurplus(), Set.copyOf(request.getInodesList())),
                  removals.drops(request.getStripeId(), () -> leases.check(request.getLease())));
          return TrimResponseProto.newBuilder()
              .addAllRefusals(refusals)
              .setRepeatable(!refusals.isEmpty() && trimmer.isRepeatable(request.getStripeId()))
              .build();
        });
  }

  @Override
  public PersistResponseProto persist(RpcController controller, PersistRequestProto request)
      throws ServiceException {
    return writing(
        "persist",
        "persist replication 1",
        BraidPaths.inode(request.getInode()),
        request.getLease(),
        () -> {
          Persister.Answer answer =
              persister.persist(request.getInode(), () -> leases.check(request.getLease()));
          return PersistResponseProto.newBuilder()
              .addAllRefusals(answer.refusals())
              .setRepeatable(answer.repeatable())
              .build();
        });
  }

  @Override
  public RaiseResponseProto raise(RpcController controller, RaiseRequestProto request)
      throws ServiceException {
    return writing(
        "raise",
        "raise replication",
        BraidPaths.inode(request.getInode()),
        request.getLease(),
        () -> {
          raiser.raise(request.getInode(), request.getReplication());
          return RaiseResponseProto.getDefaultInstance();
        });
  }

  @Override
  public ProtectResponseProto protect(RpcController controller, ProtectRequestProto request)
      throws ServiceException {
    return writing(
        "protect",
        "ask for replicas of a stripe",
        BraidPaths.stripePath(request.getStripeId()),
        request.getLease(),
        () -> {
          raiser.protect(request.getStripeId());
          return ProtectResponseProto.getDefaultInstance();
        });
  }

  @Override
  public SweepResponseProto sweep(RpcController controller, SweepRequestProto request)
      throws ServiceException {
    return writing(
        "sweep",
        "sweep parity",
        BraidPaths.STRIPES,
        request.getLease(),
        () -> {
          Sweeper.Swept swept =
              sweeper.sweep(
                  request.getReplicatedStripesList(),
                  request.getClaimed()
                      ? id -> leases.isClaimedByOthers(request.getLease(), id)
                      : leases::isClaimed,
                  request.hasAfter() ? Optional.of(request.getAfter()) : Optional.empty(),
                  () -> leases.check(request.getLease()));
          SweepResponseProto.Builder response =
              SweepResponseProto.newBuilder().addAllDeleted(swept.deleted());
          swept.next().ifPresent(response::setNext);
          return response.build();
        });
  }

  @Override
  public @Nullable DemandsResponseProto demands(
      RpcController controller, DemandsRequestProto request) throws ServiceException {
    writing("demands", "ask for demands of readers", null, request.getLease(), () -> true);
    demands.refuse(request.getRefusedList());
    // Answered later, so that no handler is held.
    ProtobufRpcEngineCallback2 callback = ProtobufRpcEngine2.Server.registerForDeferredResponse2();
    if (request.getResigns()) {
      leases.resign(request.getLease());
    }
    demands.poll(request, callback::setResponse);
    return null;
  }

  private <T> T reading(Work<T> body) throws ServiceException {
    return answer(
        () -> {
          host.checkReadable();
          return body.run();
        });
  }

  /**
   * A change: the superuser's, on the active NameNode, out of safe mode, under the lease. It is in
   * HDFS's audit log, refused or not.
   */
  private <T> T writing(
      String command, String what, @Nullable String path, @Nullable String lease, Work<T> body)
      throws ServiceException {
    String name = AuditLog.PREFIX + command;
    return answer(
        () -> {
          host.checkReadable(); // a standby is asked by mistake
          try {
            checkSuperuser(what);
            host.checkWritable(what);
            T done = lease == null ? body.run() : changing(lease, body);
            if (!ROUTINE.contains(command)) {
              audit.allowed(name, path);
            }
            return done;
          } catch (IOException | IllegalArgumentException e) {
            audit.refused(name, path);
            throw e;
          }
        });
  }

  private <T> T changing(String lease, Work<T> body) throws IOException {
    host.awaitTransition();
    try (Leases.Change begun = leases.begin(lease)) {
      return body.run();
    }
  }

  private static <T> T answer(Work<T> body) throws ServiceException {
    try {
      return body.run();
    } catch (IOException e) {
      throw new ServiceException(e);
    } catch (IllegalArgumentException e) {
      throw new ServiceException(new IOException(e.getMessage(), e));
    }
  }

  private void checkSuperuser(String what) throws IOException {
    UserGroupInformation caller = NameNode.getRemoteUser();
    if (!host.isSuperuser(caller)) {
      throw new AccessControlException(
          "user " + caller.getShortUserName() + " may not " + what + ": superuser needed");
    }
  }
}
