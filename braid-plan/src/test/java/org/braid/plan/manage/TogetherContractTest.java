package org.braid.plan.manage;

final class TogetherContractTest extends RepairSchedulerContract {
  @Override
  RepairScheduler scheduler() {
    return RepairSchedulers.TOGETHER;
  }
}
