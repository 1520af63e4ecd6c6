package org.braid.hdfs.api.view;

import java.util.List;

/**
 * The causes that keep conversion and repair from working on a cluster, in the order in which to
 * fix them.
 *
 * @param findings what was found
 * @param nameNodes number of checked NameNodes
 * @param dataNodes number of checked DataNodes
 */
public record CheckReport(List<Finding> findings, int nameNodes, int dataNodes) {
  public CheckReport {
    findings = List.copyOf(findings);
  }

  /** The severity of a finding. */
  public enum Severity {
    /** Conversion or repair fails. */
    ERROR,
    /** They work, but less well or less safely than they could. */
    WARNING
  }

  /**
   * Something that is missing, wrong or half configured.
   *
   * @param host the daemon, as {@code namenode a:8020} or {@code datanode b}; {@code cluster} for
   *     what concerns all
   * @param property the property to look at; empty where there is none
   * @param value its value; empty when it is not set
   * @param source the file that sets it, or what else did; empty when it is not set
   * @param problem what is wrong
   * @param remedy what to do
   */
  public record Finding(
      Severity severity,
      String host,
      String property,
      String value,
      String source,
      String problem,
      String remedy) {}

  /** Whether conversion and repair will work. */
  public boolean ok() {
    return findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
  }
}
