package org.braid.plan.schedule;

final class MpprContractTest extends RepairSchedulerContract {
  @Override
  RepairScheduler scheduler() {
    return RepairSchedulers.MPPR;
  }
}
