package org.braid.cli.codes;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import picocli.CommandLine.Parameters;

/** The codes that the arguments name. */
final class CodeArguments {
  /**
   * The parser leaves names as text: in a list that may be empty it takes a wrong name for a
   * surplus word, and hides the reason.
   */
  @Parameters(
      arity = "0..*",
      paramLabel = "CODE",
      description = "Codes, as in rs-6-3 lrc-10-2-2; default: an example of each family.")
  private List<String> names = new ArrayList<>();

  /**
   * The codes that are named, or an example of each family where there are none.
   *
   * @throws org.braid.code.UnknownCodeException when a name is unknown
   */
  List<ErasureCode> codes() {
    List<String> chosen =
        names.isEmpty() ? Codes.families().stream().map(CodeFamily::example).toList() : names;
    return chosen.stream().map(Codes::named).toList();
  }
}
