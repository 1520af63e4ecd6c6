package org.braid.experiment.run;

import org.braid.experiment.Machine;

/**
 * The conditions under which results were measured.
 *
 * @param commit of the program
 * @param cpu the processor's name
 * @param cores how many of them
 * @param kernel that multiplies in the field
 * @param os name and version
 * @param jvm name and version
 * @param options of the command that changed the experiment; empty for none
 * @param settings that neither axis nor system changed, as {@code key=value} with blanks between
 */
public record Conditions(
    String commit,
    String cpu,
    int cores,
    String kernel,
    String os,
    String jvm,
    String options,
    String settings) {
  /** Of this machine. */
  public static Conditions of(
      Machine machine, String commit, String kernel, String options, String settings) {
    return new Conditions(
        commit,
        machine.cpu(),
        machine.cores(),
        kernel,
        machine.system(),
        machine.jvm(),
        options,
        settings);
  }
}
