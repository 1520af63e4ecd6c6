package org.braid.cli.codes;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import picocli.CommandLine.Parameters;

/** Any number of codes as the words of a command line. */
final class CodeList {
  /**
   * Names are not read by the parser: of a list that may be empty it takes a wrong one for a word
   * too many, and the reason would be lost.
   */
  @Parameters(
      arity = "0..*",
      paramLabel = "CODE",
      description = "Codes; default: an example of each family.")
  private List<String> names = new ArrayList<>();

  /**
   * The codes that are named, or an example of each family where there are none.
   *
   * @throws org.braid.code.UnknownCodeException when a name is no good
   */
  List<ErasureCode> codes() {
    List<String> chosen =
        names.isEmpty() ? Codes.families().stream().map(CodeFamily::example).toList() : names;
    return chosen.stream().map(Codes::named).toList();
  }
}
