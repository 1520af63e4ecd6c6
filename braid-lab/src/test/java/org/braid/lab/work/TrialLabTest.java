package org.braid.lab.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.WorkloadSettings.Value;
import org.junit.jupiter.api.Test;

final class TrialLabTest {
  private static final WorkloadSettings USUAL = WorkloadSettings.defaults(new RecoveryWorkload());

  private static WorkloadSettings with(String key, String text) throws ExperimentException {
    return USUAL.with(Map.of(key, new Value(text, new SourceLocation("test", 1))));
  }

  /** A kept lab does not name them either. */
  @Test
  void usualSettingsAreNoPropertiesOfALab() throws ExperimentException {
    assertEquals(Map.of(), TrialLab.wanted(USUAL).properties());
  }

  @Test
  void whoWaitsLongerForAnotherTryOfHdfsHasALabOfHisOwn() throws ExperimentException {
    WorkloadSettings patient = with("pending", "300");
    assertEquals(
        Map.of("dfs.namenode.reconstruction.pending.timeout-sec", "300"),
        TrialLab.wanted(patient).properties());
    assertNotEquals(TrialLab.fixed(USUAL), TrialLab.fixed(patient));
    assertEquals(TrialLab.fixed(USUAL), TrialLab.fixed(with("pending", "30")));
  }
}
