package org.braid.plan.manage;

final class MpprContractTest extends RepairSchedulerContract {
  @Override
  RepairScheduler scheduler() {
    return RepairSchedulers.MPPR;
  }
}
