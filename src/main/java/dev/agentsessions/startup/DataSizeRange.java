package dev.agentsessions.startup;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** The least and the largest size that a setting may have, as in {@code 16MB}. */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = DataSizeRange.Validator.class)
public @interface DataSizeRange {

	/** The least size. */
	String min() default "1B";

	/** The largest size. */
	String max() default "1TB";

	/** The rule for an operator. */
	String message() default "must be {min} to {max}";

	/** Not used. Bean Validation requires it. */
	Class<?>[] groups() default {};

	/** Not used. Bean Validation requires it. */
	Class<? extends Payload>[] payload() default {};

	/** Compares a size with both limits. */
	class Validator implements ConstraintValidator<DataSizeRange, DataSize> {

		private DataSize min = DataSize.ofBytes(0);

		private DataSize max = DataSize.ofBytes(0);

		@Override
		public void initialize(DataSizeRange range) {
			this.min = DataSize.parse(range.min());
			this.max = DataSize.parse(range.max());
		}

		@Override
		public boolean isValid(@Nullable DataSize size, ConstraintValidatorContext context) {
			return size == null || size.compareTo(this.min) >= 0 && size.compareTo(this.max) <= 0;
		}

	}

}
